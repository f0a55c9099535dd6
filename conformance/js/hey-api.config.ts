import { defineConfig } from '@hey-api/openapi-ts'

export default defineConfig({
  input: '../../openapi.json',
  output: { path: 'generated/hey-api', module: { extension: '.js' } },
  plugins: ['@hey-api/client-fetch'],
})
