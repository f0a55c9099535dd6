// Writes `schema.ts` and `operations.ts` of the package: the types of `openapi.json`, and a method for each of its operations.

import { readFileSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
// `upload` does what these do, but for the stream of events, which has no end.
const TAGS_LEFT_OUT = ['Resumable uploads']
const LEFT_OUT = ['uploadMedia', 'followEvents']

const nameOf = (ref) => ref.split('/').at(-1)
const comment = (text, indent) => {
  const lines = text.replaceAll('*/', '* /').split('\n').map((line) => `${indent} * ${line}`.trimEnd())
  return [`${indent}/**`, ...lines, `${indent} */`].join('\n')
}

/** A method of the class. */
function method(verb, path, operation) {
  const { operationId: name, summary, description = '', parameters = [] } = operation
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const headers = parameters.filter((parameter) => parameter.in === 'header').map((parameter) => parameter.name)
  const body = operation.requestBody?.content['application/json']?.schema.$ref
  const [success, isBlob] = result(operation)
  const options = [
    ...(headers.includes('If-Match') ? ['ifMatch?: string'] : []),
    ...(headers.includes('Idempotency-Key') ? ['idempotencyKey?: string'] : []),
  ]
  const taken = [
    ...inPath.map((parameter) => `${parameter}: string`),
    ...(body ? [`body: ${nameOf(body)}`] : []),
    ...(query.length ? [`query: NonNullable<operations['${name}']['parameters']['query']> = {}`] : []),
    `options: RequestOptions${options.length ? ` & { ${options.join('; ')} }` : ''} = {}`,
  ]
  const given = [
    ...(inPath.length ? [`path: { ${inPath.join(', ')} }`] : []),
    ...(query.length ? ['query'] : []),
    ...(body ? ['body'] : []),
    ...(isBlob ? ['isBlob: true'] : []),
    '...options',
  ]
  const call = `this.call('${verb.toUpperCase()}', '${path}', { ${given.join(', ')} }) as Promise<${success}>`
  return [comment(`${summary}.\n\n${description}`.trim(), '  '), `  ${name}(${taken.join(', ')}): Promise<${success}> {`, `    return ${call}`, '  }'].join('\n')
}

/** The type of a successful response, and whether it is bytes. */
function result({ responses }) {
  const successful = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const contents = successful.flatMap(([, { content = {} }]) => Object.entries(content))
  if (contents.some(([type]) => type !== 'application/json')) return ['Blob', true]
  const types = [...new Set(contents.map(([, { schema }]) => nameOf(schema.$ref)))]
  return [types.join(' | ') || 'void', false]
}

export async function write(documentFile, folder) {
  const document = JSON.parse(readFileSync(documentFile, 'utf8'))
  const blob = ts.factory.createTypeReferenceNode('Blob')
  const schema = await openapiTS(pathToFileURL(documentFile), {
    // What has a default may be left out of a request; responses list all their fields as required.
    defaultNonNullable: false,
    transform: ({ format }) => (format === 'binary' ? blob : undefined),
  })
  writeFileSync(`${folder}/schema.ts`, astToString(schema))
  const found = Object.entries(document.paths).flatMap(([path, methods]) =>
    METHODS.filter((verb) => methods[verb] && path.startsWith('/public/v1/')).map((verb) => [verb, path, methods[verb]]),
  )
  const kept = found.filter(([, , { operationId, tags }]) => !LEFT_OUT.includes(operationId) && !TAGS_LEFT_OUT.includes(tags[0]))
  const events = Object.values(document.webhooks).map(({ post }) => nameOf(post.requestBody.content['application/json'].schema.$ref))
  // `Error` is JavaScript's own name; PlayoutError has what is in it.
  const types = Object.keys(document.components.schemas).filter((name) => name !== 'Error')
  const text = [
    '/** The operations of the API. Generated: change `openapi.json` instead. */\n',
    "import type { Caller, RequestOptions } from './requests.js'",
    "import type { components, operations } from './schema.js'\n",
    ...types.map((name) => `export type ${name} = components['schemas']['${name}']`),
    `\n/** The body of a webhook's delivery. */\nexport type WebhookEvent = ${events.join(' | ')}\n`,
    '/** The operations of the API; each returns the body of the response. */',
    'export class Operations {',
    '  protected readonly call: Caller\n',
    '  constructor(call: Caller) {\n    this.call = call\n  }\n',
    kept.map(([verb, path, operation]) => method(verb, path, operation)).join('\n\n'),
    '}\n',
  ]
  writeFileSync(`${folder}/operations.ts`, text.join('\n'))
}
