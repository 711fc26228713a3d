/**
 * Stores a release's facts as differences from the previous recorded release:
 *
 *     npx tsx scripts/derive-release.ts 1.33 FOLDER
 *
 * FOLDER has the form of `facts/`, including `go-fields.json` (scripts/go-fields).
 * scripts/compile-facts.ts compiles the result, `facts/releases/1.33.json`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../src/engine/core/object'
import { findTableDifference } from './compile-facts/find-difference'
import { FACT_NAMES, factsOf, releaseFile } from './compile-facts/release-facts'

const [release, folder] = process.argv.slice(2)
if (release === undefined || folder === undefined) {
  console.error('usage: derive-release.ts RELEASE FOLDER')
  process.exit(2)
}
const before = factsOf(release, true)
const differences = FACT_NAMES.flatMap((name) => {
  const path = join(folder, `${name}.json`)
  if (!existsSync(path)) return []
  const given = JSON.parse(readFileSync(path, 'utf8')) as Json
  const after = name === 'go-fields' ? known(given) : given
  const difference = findTableDifference(before[name], after)
  return difference === undefined ? [] : [`${JSON.stringify(name)}: ${JSON.stringify(difference)}`]
})
writeFileSync(releaseFile(release), `{\n${differences.join(',\n')}\n}\n`)

/** Removes types that no OpenAPI document contains. */
function known(fields: Json): Json {
  const types = JSON.parse(readFileSync(join(folder as string, 'types.json'), 'utf8')) as object
  const all = Object.entries(fields as Record<string, Json>)
  return {
    ...(before['go-fields'] as Record<string, Json>),
    ...Object.fromEntries(all.filter(([name]) => Object.hasOwn(types, name))),
  }
}
