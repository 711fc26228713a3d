import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Plugin } from 'vite'

const NAME = 'virtual:handler-frame'
const SOURCE = fileURLToPath(
  new URL('../src/app/features/webhooks/frame-script.ts', import.meta.url),
)

export async function handlerFrameText(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [SOURCE],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    minify: true,
    write: false,
  })
  return outputFiles.map(({ text }) => text.trim()).join('')
}

export function handlerFrame(): Plugin {
  return {
    name: 'handler-frame',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : undefined),
    load: async (id) =>
      id === `\0${NAME}` ? `export default ${JSON.stringify(await handlerFrameText())}` : undefined,
  }
}
