import { beforeAll, describe, expect, it, test } from 'vitest'
import type { FieldError } from '../../src/engine/http/status'
import { invalid } from '../../src/engine/http/status'
import { worded } from '../../src/engine/http/wording'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { tablesOf } from '../../src/engine/release-tables/tables'
import {
  duplicate,
  invalidPrinted,
  invalidValue,
  notSupported,
  printedTime,
  printedUntyped,
} from '../../src/engine/validation/field-errors'
import {
  goLiteral,
  invalidList,
  invalidMap,
  invalidStructure,
  invalidTypedList,
  typeNamed,
} from '../../src/engine/validation/go-literal'
import { goValue } from '../../src/engine/validation/go-value'
import { goValueJson } from '../../src/engine/validation/go-value-json'
import { invalidQuantity } from '../../src/engine/validation/quantities'
import { invalidName } from '../../src/engine/validation/resource-names'
import { changedTables } from '../support/release'

/** The text of an error in a release. */
function textIn(release: string, error: FieldError): string | undefined {
  const rejected = invalid({ group: '', kind: 'Pod' }, 'a', [error])
  const { status } = worded(rejected, changedTables(release))
  const text = status.details?.causes?.[0]?.message
  expect(status.message).toBe(`Pod "a" is invalid: f: ${text}`)
  return text?.replace(/: why$/, '')
}

const AMOUNT = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'
const SELECTOR = 'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector'

describe('values in field errors', () => {
  test.each<[name: string, FieldError, go: string, json: string]>([
    ['nil', invalidValue('f', undefined, 'why'), '"null"', 'null'],
    ['strings', invalidValue('f', 'a"<b', 'why'), '"a\\"<b"', '"a\\"<b"'],
    ['numbers', invalidValue('f', 5, 'why'), '5', '5'],
    ['lists', invalidList('f', ['a', '<'], 'why'), '[]string{"a", "<"}', '["a","\\u003c"]'],
    [
      'nil lists',
      invalidTypedList('f', 'core.ResourceQuotaScope', undefined, 'why'),
      '[]core.ResourceQuotaScope(nil)',
      'null',
    ],
    [
      'maps',
      invalidMap('f', { b: '2', a: '1' }, 'why'),
      'map[string]string{"a":"1", "b":"2"}',
      '{"a":"1","b":"2"}',
    ],
    ['nil maps', invalidMap('f', undefined, 'why'), 'map[string]string(nil)', 'null'],
    [
      'times',
      invalidPrinted('f', printedTime('2024-01-01T00:05:00Z'), 'why'),
      '2024-01-01 00:05:00 +0000 UTC',
      '"2024-01-01T00:05:00Z"',
    ],
    [
      'quantities',
      invalidQuantity('f', '1500m', 'why', false),
      'resource.Quantity{i:resource.int64Amount{value:1500, scale:-3}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1500m", Format:"DecimalSI"}',
      '"1500m"',
    ],
    ['names of resources', invalidName('f', 'gpu', 'why'), 'gpu', '"gpu"'],
    [
      'numbers or texts',
      invalidStructure('f', AMOUNT, '10%', 'why'),
      'intstr.IntOrString{Type:1, IntVal:0, StrVal:"10%"}',
      '"10%"',
    ],
    [
      'numbers of that type',
      invalidStructure('f', AMOUNT, 0, 'why'),
      'intstr.IntOrString{Type:0, IntVal:0, StrVal:""}',
      '0',
    ],
    [
      'internal structures, with all members and the names of Go',
      invalidStructure('f', 'Toleration', { key: 'a', tolerationSeconds: 3 }, 'why'),
      'core.Toleration{Key:"a", Operator:"", Value:"", Effect:"", TolerationSeconds:(*int64)(0xc000000000)}',
      '{"Key":"a","Operator":"","Value":"","Effect":"","TolerationSeconds":3}',
    ],
    [
      'structures of the API, without empty members',
      invalidStructure('f', SELECTOR, { matchLabels: { app: 'x' } }, 'why', 'api'),
      'v1.LabelSelector{MatchLabels:map[string]string{"app":"x"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}',
      '{"matchLabels":{"app":"x"}}',
    ],
    [
      'untyped values, with sorted members',
      invalidPrinted('f', printedUntyped({ b: [1, 'x'], a: null }), 'why'),
      'map[string]interface {}{"a":interface {}(nil), "b":[]interface {}{1, "x"}}',
      '{"a":null,"b":[1,"x"]}',
    ],
  ])('%s are Go syntax at 1.33 and JSON at 1.34', (_, error, go, json) => {
    expect(textIn('1.33', error)).toBe(`Invalid value: ${go}`)
    expect(textIn('1.34', error)).toBe(`Invalid value: ${json}`)
  })

  it('keep the members of embedded structures in place', () => {
    const probe = { exec: { command: ['a'] }, periodSeconds: 1 }
    expect(textIn('1.35', invalidStructure('f', 'Probe', probe, 'why'))).toMatch(
      /^Invalid value: {"Exec":{"Command":\["a"\]},"HTTPGet":null,.*"PeriodSeconds":1,/,
    )
  })

  it('are printed alike in all kinds of errors', () => {
    expect(textIn('1.35', notSupported('f', null, ['a']))).toBe(
      'Unsupported value: null: supported values: "a"',
    )
    expect(textIn('1.35', duplicate('f', 1))).toBe('Duplicate value: 1')
  })
})

describe('internal types', () => {
  beforeAll(() => loadTables('1.37'))

  const membersAt = (release: string, name: string): string[] => {
    const value = goValue(typeNamed(name, tablesOf(release)), {})
    return value.kind === 'struct' ? value.members.map((member) => member.name) : []
  }

  it.each([
    ['1.35', ['NodeName', 'SecurityContext', 'ImagePullSecrets', 'Hostname', 'Subdomain']],
    ['1.37', ['NodeName', 'HostNetwork', 'HostPID', 'HostIPC', 'ShareProcessNamespace']],
  ])('print pods of %s with %j in this order', (release, expected) => {
    const members = membersAt(release, 'PodSpec')
    expect(members.slice(members.indexOf('NodeName')).slice(0, 5)).toEqual(expected)
    expect(members.includes('DeprecatedServiceAccount')).toBe(release === '1.37')
  })

  it('have their kind in an embedded structure, which JSON omits if it is empty', () => {
    const claim = goValue(typeNamed('PersistentVolumeClaim', tablesOf('1.37')), {
      metadata: { name: 'a' },
    })
    expect(goLiteral(claim)).toMatch(
      /^core\.PersistentVolumeClaim\{TypeMeta:v1\.TypeMeta\{Kind:"", APIVersion:""\}, ObjectMeta:/,
    )
    expect(goValueJson(claim)).toMatch(/^\{"name":"a","Spec":\{/)
  })
})
