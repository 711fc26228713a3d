import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeObject } from '../../src/engine/schema/decode'
import type { StructType } from '../../src/engine/schema/model'
import { goDiff } from '../../src/engine/validation/go-diff'
import { typeNamed } from '../../src/engine/validation/go-literal'
import { goValue } from '../../src/engine/validation/go-value'
import { jsonObject } from '../support/json-objects'

const spec = (value: object) =>
  goValue(
    typeNamed('PodSpec'),
    jsonObject({ containers: [{ name: 'app', image: 'nginx' }], ...value }),
  )
const difference = (before: object, after: object) => goDiff(spec(before), spec(after))

describe('differences in messages', () => {
  test('equal values have no difference', () => {
    expect(difference({ nodeName: 'n' }, { nodeName: 'n' })).toBe('')
  })
  test('shows the neighbors of a change and counts the rest', () => {
    expect(difference({ restartPolicy: 'Always' }, { restartPolicy: 'Never' })).toBe(
      [
        '  core.PodSpec{',
        '  \t... // 2 identical fields',
        '  \tContainers:                    {{Name: "app", Image: "nginx"}},',
        '  \tEphemeralContainers:           nil,',
        '- \tRestartPolicy:                 "Always",',
        '+ \tRestartPolicy:                 "Never",',
        '  \tTerminationGracePeriodSeconds: nil,',
        '  \tActiveDeadlineSeconds:         nil,',
        '  \t... // 26 identical fields',
        '  }',
        '',
      ].join('\n'),
    )
  })
  test('shows the contents of maps and pointers', () => {
    const text = difference(
      { terminationGracePeriodSeconds: 30 },
      { terminationGracePeriodSeconds: 10, nodeSelector: { a: 'b' } },
    )
    expect(text).toContain(
      '- \tTerminationGracePeriodSeconds: &30,\n+ \tTerminationGracePeriodSeconds: &10,',
    )
    expect(text).toContain(
      '- \tNodeSelector:                  nil,\n+ \tNodeSelector:                  map[string]string{"a": "b"},',
    )
  })
  test('shows changed elements by field and added ones as a whole', () => {
    const one = { containers: [{ name: 'a', image: '1' }] }
    expect(difference(one, { containers: [{ name: 'a', image: '2' }] })).toMatch(
      /\t\t\tName: {4}"a",\n- \t\t\tImage: {3}"1",\n\+ \t\t\tImage: {3}"2",/,
    )
    expect(
      difference(one, { containers: [...one.containers, { name: 'b', image: '1' }] }),
    ).toContain('+ \t\t{Name: "b", Image: "1"},')
  })
  test('ends equal structs with dots after four fields, however many are left', () => {
    const tolerations = [{ key: 'k', operator: 'Equal', value: 'v', effect: 'NoSchedule' }]
    expect(
      difference({ schedulerName: 'a', tolerations }, { schedulerName: 'b', tolerations }),
    ).toContain('{{Key: "k", Operator: "Equal", Value: "v", Effect: "NoSchedule", ...}}')
  })
  test('prints added and removed selectors and quantities, long ones truncated', () => {
    const volume = (emptyDir: object) => ({ volumes: [{ name: 'v', emptyDir }] })
    expect(difference(volume({ sizeLimit: '1Gi' }), volume({}))).toMatch(/SizeLimit: s"1Gi",/)
    const constraint = (more: object) => ({
      topologySpreadConstraints: [
        { maxSkew: 1, topologyKey: 'z', whenUnsatisfiable: 'w', ...more },
      ],
    })
    const text = difference(
      constraint({ labelSelector: { matchLabels: { app: 'web' } } }),
      constraint({}),
    )
    expect(text).toContain(
      's"&LabelSelector{MatchLabels:map[string]string{app: web,},MatchExpressions:[]LabelSelectorRequirement{},}"',
    )
    const long = { matchExpressions: [{ key: 'k'.repeat(300), operator: 'Exists' }] }
    expect(difference(constraint({ labelSelector: long }), constraint({}))).toMatch(
      /s"&LabelSelector\{[^"]*k"\.\.\./,
    )
  })
  test('distinguishes an empty list from an absent one', () => {
    const { object } = decodeObject(typeNamed('PodSpec') as StructType, {
      containers: [],
      imagePullSecrets: [],
    })
    const before = goValue(typeNamed('PodSpec'), {
      containers: [],
      imagePullSecrets: [{ name: 's' }],
    })
    expect(goDiff(before, goValue(typeNamed('PodSpec'), jsonObject(object)))).toMatch(
      /\+ \tImagePullSecrets: +\[\]core\.LocalObjectReference\{\},/,
    )
  })
  test('pairs a changed element with its old state, also behind a removed one', () => {
    const alias = (ip: string, ...hostnames: string[]) => ({ ip, hostnames })
    const text = difference(
      { hostAliases: [alias('1.1.1.1', 'one', 'uno'), alias('2.2.2.2', 'two', 'due')] },
      { hostAliases: [alias('2.2.2.2', 'two', 'dos')] },
    )
    expect(text).toContain(
      '- \t\t{IP: "1.1.1.1", Hostnames: []string{"one", "uno"}},\n  \t\t{\n  \t\t\tIP: "2.2.2.2",',
    )
  })
  test('shows every changed field with both values', () => {
    const names = ['nodeName', 'hostname', 'subdomain', 'schedulerName', 'dnsPolicy'] as const
    const members = fc.record(
      Object.fromEntries(names.map((name) => [name, fc.constantFrom('', 'x', 'y')])),
    )
    fc.assert(
      fc.property(members, members, (before, after) => {
        const lines = difference(before, after).split('\n')
        const changed = names.filter((name) => before[name] !== after[name])
        expect(lines.filter((line) => line.startsWith('-'))).toHaveLength(changed.length)
        expect(lines.filter((line) => line.startsWith('+'))).toHaveLength(changed.length)
      }),
    )
  })
})
