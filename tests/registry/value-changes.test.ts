import { describe, expect, test } from 'vitest'
import { unifiedDiff } from '../../src/engine/core/unified-diff'
import { changesOf } from '../../src/engine/release-tables/changes'
import { typeNamed } from '../../src/engine/validation/go-literal'
import { goValue } from '../../src/engine/validation/go-value'
import { forbiddenChange, indented } from '../../src/engine/validation/value-changes'

const lines = (...parts: string[]) => parts.join('\n')
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`)

describe('the difference of two texts by line', () => {
  test('is empty if they are equal', () => {
    expect(unifiedDiff('a\nb', 'a\nb')).toBe('')
  })
  test('has three unchanged lines around a change', () => {
    const before = numbered(9)
    expect(unifiedDiff(lines(...before), lines(...before.with(4, 'other')))).toBe(
      lines(
        '@@ -2,7 +2,7 @@',
        ' line 2',
        ' line 3',
        ' line 4',
        '-line 5',
        '+other',
        ' line 6',
        ' line 7',
        ' line 8',
        '',
      ),
    )
  })
  test('has hunks of their own for changes that are far apart', () => {
    const before = numbered(20)
    const after = before.with(1, 'other').toSpliced(18, 1)
    const headers = unifiedDiff(lines(...before), lines(...after)).match(/@@.*@@/g)
    expect(headers).toEqual(['@@ -1,5 +1,5 @@', '@@ -16,5 +16,4 @@'])
  })
  test('names the line before an insertion into an empty range', () => {
    expect(unifiedDiff('a', 'a\nb')).toBe('@@ -1 +1,2 @@\n a\n+b\n')
  })
  test('compares long texts by their beginning and end', () => {
    const before = numbered(5000)
    const difference = unifiedDiff(lines(...before), lines(...before.with(2500, 'x')))
    expect(difference.split('\n')).toHaveLength(10)
  })
})

test('JSON is indented by one space a level, with empty values inline', () => {
  expect(indented('{"a":{"b":["x:{",1]},"c":[],"d":null}')).toBe(
    lines(
      '{',
      ' "a": {',
      '  "b": [',
      '   "x:{",',
      '   1',
      '  ]',
      ' },',
      ' "c": [],',
      ' "d": null',
      '}',
    ),
  )
})

test('errors of immutable structures print the difference of their JSON since 1.34', () => {
  const claim = (storage: string) =>
    goValue(typeNamed('PersistentVolumeClaimSpec'), { resources: { requests: { storage } } })
  const detailAt = (release: string) =>
    forbiddenChange(changesOf(release), 'spec', 'immutable', claim('1Gi'), claim('2Gi')).detail
  expect(detailAt('1.33')).toContain('core.PersistentVolumeClaimSpec{')
  expect(detailAt('1.34')).toBe(
    lines(
      'Forbidden: immutable',
      '@@ -4,7 +4,7 @@',
      '  "Resources": {',
      '   "Limits": null,',
      '   "Requests": {',
      '-   "storage": "1Gi"',
      '+   "storage": "2Gi"',
      '   }',
      '  },',
      '  "VolumeName": "",',
      '',
    ),
  )
})
