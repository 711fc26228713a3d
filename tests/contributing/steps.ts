/** The code blocks of CONTRIBUTING.md, and sources to which its steps were applied. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** @returns the code blocks of a section in order, without their indentation */
export function blocksOf(section: string): string[] {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')
  const [, own = ''] = text.split(`\n## ${section}\n`)
  const [before = ''] = own.split('\n## ')
  return [...before.matchAll(/^ {3}```\w+\n([\s\S]*?)^ {3}```$/gm)].map(([, code = '']) =>
    code.replace(/^ {3}/gm, ''),
  )
}

/** @throws Error if the anchor does not occur: the steps no longer match the sources */
export function insertedAfter(text: string, anchor: RegExp, inserted: string): string {
  if (!anchor.test(text)) throw new Error(`no place matches ${anchor}`)
  return text.replace(anchor, (found) => `${found}${inserted}`)
}

export const sourceOf = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/**
 * Bundles a module over sources that differ from those on disk.
 *
 * @param sources texts by path in the repository, of new and of changed files
 * @param outfile where the bundle is written
 * @returns the exports of the bundle
 */
export async function importOver(
  entry: string,
  sources: Readonly<Record<string, string>>,
  outfile: string,
): Promise<Record<string, unknown>> {
  const texts = new Map(Object.entries(sources).map(([file, text]) => [join(ROOT, file), text]))
  const overlay: Plugin = {
    name: 'overlay',
    setup(bundler) {
      // New files may be in new directories, in which esbuild itself resolves nothing.
      bundler.onResolve({ filter: /^\./ }, ({ path, resolveDir }) => {
        const target = join(resolveDir, path)
        const found = [`${target}.ts`, `${target}.tsx`, `${target}/index.ts`].find(
          (file) => texts.has(file) || existsSync(file),
        )
        return found === undefined ? undefined : { path: found }
      })
      bundler.onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const contents = texts.get(path)
        if (contents === undefined) return undefined
        return {
          contents,
          loader: path.endsWith('x') ? 'tsx' : 'ts',
          resolveDir: dirname(path),
        }
      })
    },
  }
  await build({
    entryPoints: [join(ROOT, entry)],
    bundle: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    outfile,
    plugins: [overlay],
  })
  return await import(/* @vite-ignore */ pathToFileURL(outfile).href)
}
