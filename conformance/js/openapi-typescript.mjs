// Types of `openapi.json` by openapi-typescript, for openapi-fetch. Files are Blobs, as its documentation does it ("Node.js API").

import { mkdirSync, writeFileSync } from 'node:fs'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'

const BLOB = ts.factory.createTypeReferenceNode('Blob')
const document = new URL('../../openapi.json', import.meta.url)
const types = await openapiTS(document, {
  transform: (schema) => (schema.format === 'binary' ? BLOB : undefined),
})
mkdirSync('generated', { recursive: true })
writeFileSync('generated/schema.ts', astToString(types))
