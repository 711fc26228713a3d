/** CEL expressions that grow: written into a policy, and evaluated on an object. */
import { depthOf, nested, type Probe, target, times } from './probe'

const POLICIES = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies'
const BINDINGS = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings'
const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'

const policy = (spec: object) => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'p' },
  spec: {
    matchConstraints: {
      resourceRules: [
        { apiGroups: [''], apiVersions: ['v1'], operations: ['*'], resources: ['configmaps'] },
      ],
    },
    ...spec,
  },
})

function evaluated(
  name: string,
  spec: (size: number) => object,
  data: (size: number) => Record<string, string> = () => ({ a: 'b' }),
): Probe {
  return {
    name: `CEL: ${name}`,
    async prepare(size, fail) {
      const { send, pass } = target(fail)
      return async () => {
        const created = await send({ method: 'POST', path: POLICIES, body: policy(spec(size)) })
        await send({
          method: 'POST',
          path: BINDINGS,
          body: {
            apiVersion: 'admissionregistration.k8s.io/v1',
            kind: 'ValidatingAdmissionPolicyBinding',
            metadata: { name: 'b' },
            spec: { policyName: 'p', validationActions: ['Deny'] },
          },
        })
        await pass(5)
        const body = {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: 'c' },
          data: data(size),
        }
        return created + (await send({ method: 'POST', path: CONFIG_MAPS, body }))
      }
    },
  }
}

const expression = (
  name: string,
  text: (size: number) => string,
  data?: Parameters<typeof evaluated>[2],
) => evaluated(name, (size) => ({ validations: [{ expression: text(size) }] }), data)

const list = (size: number) => `[${times(size, (i) => i).join(', ')}]`
const entries = (size: number) => Object.fromEntries(times(size, (i) => [`k${i}`, 'v']))
const long = (size: number) => ({ a: 'ab'.repeat(size) })

export const EXPRESSION_PROBES: readonly Probe[] = [
  expression('length of a sum', (size) => `${times(size, () => '1').join(' + ')} > 0`),
  expression('length of a disjunction', (size) => times(size, () => 'false').join(' || ')),
  expression('conditionals', (size) => `${times(size / 4, () => 'false ? false : ').join('')}true`),
  expression(
    'depth of brackets',
    (size) => `${'('.repeat(depthOf(size))}true${')'.repeat(depthOf(size))}`,
  ),
  expression(
    'depth of lists',
    (size) => `${nested(depthOf(size) / 2, '1', (inner) => `[${inner}]`)} == []`,
  ),
  expression('negations', (size) => `${'!'.repeat(size)}true`),
  expression('depth of calls', (size) =>
    nested(depthOf(size) / 2, 'true', (inner) => `dyn(${inner})`),
  ),
  expression('selections', (size) => `object${'.a'.repeat(size / 4)} == 1`),
  expression('literals', (size) => `${list(size)}.size() > 0`),
  expression('search in a list', (size) => `${size} in ${list(size)}`),
  expression('map literal', (size) => `{${times(size, (i) => `${i}: 1`).join(', ')}}.size() > 0`),
  expression('string literal', (size) => `"${'a'.repeat(size)}" != ""`),
  expression('escapes', (size) => `"${'\\n'.repeat(size)}" != ""`),
  expression('text of an error', (size) => `${'a'.repeat(size)} ==`),
  expression('unclosed brackets', (size) => '('.repeat(depthOf(size))),
  {
    ...expression('errors', (size) => `[${times(size, (i) => `undeclared${i}`).join(', ')}] == []`),
    // The text is repeated for the first 100 errors.
    sizes: [128, 512, 2048],
  },
  expression('comprehension', () => 'object.data.all(k, k != "")', entries),
  expression(
    'map and filter',
    () => 'object.data.filter(k, k != "").map(k, k + "x").size() > 0',
    entries,
  ),
  expression('joined', () => 'object.data.map(k, k).join(",") != ""', entries),
  expression('sorted', () => 'object.data.map(k, k).isSorted() || true', entries),
  expression('unique', () => 'object.data.map(k, k).indexOf("x") < 0', entries),
  expression('sum of a list', () => 'object.data.map(k, size(k)).sum() > 0', entries),
  expression('equal lists', () => 'object.data.map(k, k) == object.data.map(k, k)', entries),
  expression('sets', () => 'sets.equivalent(["a"], object.data.map(k, "a"))', entries),
  ...[
    'split("b").size() > 0',
    'replace("b", "cc") != ""',
    'matches("^(a|b)*$")',
    'find("(ab)*$") != ""',
    'findAll("a").size() > 0',
    'lowerAscii() != ""',
    'indexOf("c") < 0',
    'lastIndexOf("c") < 0',
    'substring(1) != ""',
    'contains("bb") == false',
    'trim() != ""',
  ].map((call) => expression(`a.${call}`, () => `object.data.a.${call}`, long)),
  expression('formatted', () => '"%s%s".format([object.data.a, object.data.a]) != ""', long),
  expression(
    'quantity',
    () => '!isQuantity(object.data.a)',
    (size) => ({ a: '1'.repeat(size) }),
  ),
  expression(
    'duration',
    () => 'duration(object.data.a) != duration("1s") || true',
    (size) => ({ a: '1s'.repeat(size) }),
  ),
  expression(
    'timestamp',
    () => 'timestamp(object.data.a) != timestamp("2020-01-01T00:00:00Z") || true',
    long,
  ),
  expression(
    'URL',
    () => '!isURL(object.data.a)',
    (size) => ({ a: '/%41'.repeat(size) }),
  ),
  expression(
    'address',
    () => '!isIP(object.data.a)',
    (size) => ({ a: '1:'.repeat(size) }),
  ),
  expression(
    'range of addresses',
    () => '!isCIDR(object.data.a)',
    (size) => ({ a: '1.'.repeat(size) }),
  ),
  evaluated('variables', (size) => ({
    variables: times(size / 4, (i) => ({
      name: `v${i}`,
      expression: i === 0 ? '1' : `variables.v${i - 1} + 1`,
    })),
    validations: [{ expression: `variables.v${size / 4 - 1} > 0` }],
  })),
  evaluated('validations', (size) => ({
    validations: times(size, () => ({ expression: 'true' })),
  })),
  evaluated('validations that deny', (size) => ({
    validations: times(size, (i) => ({ expression: 'false', messageExpression: `"m${i}"` })),
  })),
  evaluated('audit annotations', (size) => ({
    auditAnnotations: times(Math.min(20, size), (i) => ({ key: `k${i}`, valueExpression: '"v"' })),
  })),
]
