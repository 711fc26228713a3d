/**
 * Copies recorded exchanges into tests/conformance, gzipped to about a twentieth. Files that their
 * flags need are copied unchanged.
 *
 *     npx tsx scripts/copy-recordings.ts FOLDER
 */
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'

const target = fileURLToPath(new URL('../tests/conformance/', import.meta.url))
/** Replaced by this project's own. */
const OWN = new Set(['replay.mjs', 'README.md'])

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
}

const source = process.argv[2]
if (source === undefined) {
  console.error('usage: copy-recordings.ts FOLDER')
  process.exit(2)
}
for (const file of filesBelow(source)) {
  const name = relative(source, file)
  if (OWN.has(name)) continue
  const copy = join(target, name)
  mkdirSync(dirname(copy), { recursive: true })
  if (extname(name) === '.json')
    writeFileSync(`${copy}.gz`, gzipSync(readFileSync(file), { level: 9 }))
  else copyFileSync(file, copy)
}
