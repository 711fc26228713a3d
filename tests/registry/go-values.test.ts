import { describe, expect, test } from 'vitest'
import { decodeStruct } from '../../src/engine/schema/decoder'
import { goMemberName } from '../../src/engine/schema/go-names'
import type { StructType } from '../../src/engine/schema/model'
import { goLiteral, goStringMap, typeNamed } from '../../src/engine/validation/go-literal'
import { goValue } from '../../src/engine/validation/go-value'
import { jsonObject } from '../support/json-objects'

const literal = (type: string, value: object, packages?: 'api') =>
  goLiteral(goValue(typeNamed(type), jsonObject(value), packages))

describe('structures in messages', () => {
  test('show the API types by their versions', () => {
    const selector = literal(
      'io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector',
      { matchLabels: { app: 'nope' } },
      'api',
    )
    expect(selector).toBe(
      'v1.LabelSelector{MatchLabels:map[string]string{"app":"nope"}, MatchExpressions:[]v1.LabelSelectorRequirement(nil)}',
    )
  })
  test('distinguish empty lists and maps from absent ones', () => {
    const type = typeNamed('io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector') as StructType
    const shown = (given: object) =>
      goLiteral(goValue(type, decodeStruct(type, jsonObject(given), 'spec').value, 'api'))
    expect(shown({})).toBe(
      'v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}',
    )
    expect(shown({ matchLabels: {}, matchExpressions: [] })).toBe(
      'v1.LabelSelector{MatchLabels:map[string]string{}, MatchExpressions:[]v1.LabelSelectorRequirement{}}',
    )
  })
  test('show the internal types by their groups, with nil pointers of named types', () => {
    expect(literal('Toleration', { key: 'a', operator: 'Exists', value: 'x' })).toBe(
      'core.Toleration{Key:"a", Operator:"Exists", Value:"x", Effect:"", TolerationSeconds:(*int64)(nil)}',
    )
    expect(literal('apps.v1.DeploymentStrategy', { type: 'BlueGreen' })).toBe(
      'apps.DeploymentStrategy{Type:"BlueGreen", RollingUpdate:(*apps.RollingUpdateDeployment)(nil)}',
    )
  })
  test('show schemas by Go names and addresses, and free-form values by content', () => {
    const shown = literal(
      'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps',
      {
        $schema: 's',
        nullable: true,
        enum: [1, 'a', null, 1234567.5],
        'x-kubernetes-list-map-keys': ['k'],
        'x-kubernetes-validations': [],
      },
    )
    expect(shown).toContain(
      '{ID:"", Schema:"s", Ref:(*string)(nil), Description:"", Type:"", Nullable:true, Format:""',
    )
    expect(shown).toContain(
      'Enum:[]apiextensions.JSON{1, "a", apiextensions.JSON(nil), 1.2345675e+06}',
    )
    expect(shown).toContain('XListMapKeys:[]string{"k"}')
    expect(shown).toContain('XValidations:apiextensions.ValidationRules{}')
  })
  test('do not follow pointers', () => {
    expect(literal('SeccompProfile', { type: 'RuntimeDefault', localhostProfile: 'x' })).toMatch(
      /^core\.SeccompProfile\{Type:"RuntimeDefault", LocalhostProfile:\(\*string\)\(0x[0-9a-f]+\)\}$/,
    )
  })
  test('show IntOrString by its stored form', () => {
    const type = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'
    expect(goLiteral(goValue(typeNamed(type), '25%'))).toBe(
      'intstr.IntOrString{Type:1, IntVal:0, StrVal:"25%"}',
    )
    expect(goLiteral(goValue(typeNamed(type), 3))).toBe(
      'intstr.IntOrString{Type:0, IntVal:3, StrVal:""}',
    )
  })
  test('keep the host namespaces of a pod in the security context', () => {
    const spec = literal('PodSpec', { containers: [], hostNetwork: true, securityContext: {} })
    expect(spec).not.toContain('HostNetwork')
    expect(spec).toMatch(/SecurityContext:\(\*core\.PodSecurityContext\)\(0x/)
  })
  test('name volume fields as the internal types do', () => {
    expect(literal('GlusterfsVolumeSource', { endpoints: 'e' })).toContain('{EndpointsName:"e"')
    expect(literal('ScaleIOVolumeSource', { sslEnabled: true })).toContain('SSLEnabled:true')
    expect(literal('ServiceAccountTokenProjection', { expirationSeconds: 600 })).toContain(
      'ExpirationSeconds:600',
    )
  })
  test('show quantities as stored: canonical text stays unless it is too round', () => {
    const amount = (text: string) => literal('ResourceRequirements', { limits: { memory: text } })
    expect(amount('10Mi')).toContain(
      'value:10485760, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"10Mi"',
    )
    expect(amount('512Mi')).toContain(
      'value:536870912, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:""',
    )
    expect(amount('100Ti')).toMatch(
      /value:0, scale:0\}, d:resource\.infDecAmount\{Dec:\(\*inf\.Dec\)\(0x[0-9a-f]+\)\}, s:"", Format:"BinarySI"/,
    )
  })
  test('show embedded structures by name', () => {
    expect(literal('ConfigMapKeySelector', { name: 'c', key: 'k' })).toBe(
      'core.ConfigMapKeySelector{LocalObjectReference:core.LocalObjectReference{Name:"c"}, Key:"k", Optional:(*bool)(nil)}',
    )
  })
})

test.each([
  ['dnsPolicy', 'DNSPolicy'],
  ['hostIP', 'HostIP'],
  ['uid', 'UID'],
  ['tty', 'TTY'],
  ['seLinuxOptions', 'SELinuxOptions'],
  ['httpGet', 'HTTPGet'],
  ['fsGroup', 'FSGroup'],
  ['iscsi', 'ISCSI'],
  ['cephfs', 'CephFS'],
  ['image', 'Image'],
  ['ipFamilies', 'IPFamilies'],
])('the field %s is %s in Go', (name, member) => expect(goMemberName(name)).toBe(member))

test('string maps are sorted, and nil when absent', () => {
  expect(goStringMap({ b: '2', a: '1' })).toBe('map[string]string{"a":"1", "b":"2"}')
  expect(goStringMap(undefined)).toBe('map[string]string(nil)')
  expect(goStringMap({})).toBe('map[string]string{}')
})
