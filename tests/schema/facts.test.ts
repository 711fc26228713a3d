import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { compileRemovedTypes } from '../../scripts/compile-facts/removed-types'
import { compileTypes } from '../../scripts/compile-facts/types'
import { DISCOVERY_ALL } from '../../src/engine/generated/discovery'
import { protobufMessages } from '../../src/engine/generated/protobuf'
import { removedTypes } from '../../src/engine/generated/removed-types'
import { COMMON_VERSIONS, TYPES } from '../../src/engine/generated/types'
import { builtinModel } from '../../src/engine/schema/builtin'

function source(name: string) {
  return JSON.parse(readFileSync(new URL(`../../facts/${name}.json`, import.meta.url), 'utf8'))
}

describe('the generated tables', () => {
  it('equal the output of the script', () => {
    const compiled = compileTypes(source('types'), source('go-fields'), source('patch-strategies'))
    expect({ types: TYPES, commonVersions: COMMON_VERSIONS }).toEqual(compiled)
    const goFields = { ...source('go-fields'), ...source('removed-go-fields') }
    const facts = {
      types: source('types'),
      goFields,
      messages: source('protobuf'),
      patchStrategies: source('patch-strategies'),
    }
    expect(removedTypes()).toEqual(compileRemovedTypes(facts))
    expect(protobufMessages()).toEqual(source('protobuf'))
  })

  it('have the type of every resource in discovery', () => {
    for (const { metadata, versions } of DISCOVERY_ALL) {
      for (const { version, resources } of versions) {
        for (const { responseKind } of resources) {
          const group = responseKind.group || metadata.name || ''
          expect
            .soft(
              builtinModel().byKind(group, responseKind.version || version, responseKind.kind),
              `${group}/${version} ${responseKind.kind}`,
            )
            .toBeDefined()
        }
      }
    }
  })

  it('are small enough to be sent to a browser', () => {
    const bytes = gzipSync(
      readFileSync(new URL('../../src/engine/generated/types.ts', import.meta.url)),
    ).length
    expect(bytes).toBeLessThan(30_000)
  })
})
