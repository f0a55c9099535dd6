import { defineConfig } from 'orval'

export default defineConfig({
  playout: {
    input: '../../openapi.json',
    output: { target: 'generated/orval.ts', client: 'fetch', baseUrl: process.env.PLAYOUT_API_URL },
  },
})
