// Loaded before a sample of the documentation: what it prints is read as JSON.

console.log = (...values) => process.stdout.write(`${JSON.stringify(values[0])}\n`)
