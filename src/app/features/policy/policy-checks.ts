import type { Environment } from '../../../engine/cel/environment'
import {
  isJsonObject,
  type Json,
  type JsonObject,
  parseApiVersion,
} from '../../../engine/core/object'
import {
  inspectPolicyExpression,
  type PolicyPlace,
} from '../../../engine/inspection/policy-expression'
import {
  type CheckedKind,
  declarationsFor,
  kindsIn,
  paramsType,
  type ServedKind,
  type ServedKinds,
} from '../../../engine/inspection/types'
import { modelOfCustomSchema } from '../../../engine/schema/custom'
import type { StructType } from '../../../engine/schema/model'
import type { TextProblem } from '../editor/TextEditor'
import { type ManifestDocument, parseManifest } from '../manifests/documents'
import { designIn } from './definition'
import { placesIn, scalarAt } from './scalars'

export interface ServedTypes {
  kindOf(group: string, version: string, resource: string): string | undefined
  typeOf(apiVersion: string, kind: string): Promise<StructType | undefined>
}

const POLICY = 'ValidatingAdmissionPolicy'

export interface PlacedExpression {
  document: number
  path: readonly (string | number)[]
  /** For completion: has the types of the first kind that the policy matches. */
  environment: Environment
}

export interface CheckedText {
  problems: TextProblem[]
  expressions: PlacedExpression[]
}

export async function checkPolicies(text: string, served: ServedTypes): Promise<CheckedText> {
  const { documents } = parseManifest(text)
  const own = new OwnKinds(documents)
  const checked = await Promise.all(
    documents.flatMap((document, at) =>
      document.value.kind === POLICY ? [checkPolicy(text, document, at, own, served)] : [],
    ),
  )
  return {
    problems: checked.flatMap(({ problems }) => problems),
    expressions: checked.flatMap(({ expressions }) => expressions),
  }
}

/** Kinds that CustomResourceDefinitions of the same text define. */
class OwnKinds {
  private readonly byName = new Map<string, ServedKind>()

  constructor(documents: readonly ManifestDocument[]) {
    for (const { value } of documents) {
      const design = value.kind === 'CustomResourceDefinition' ? designIn(value) : undefined
      for (const { name, schema } of design?.versions ?? []) {
        const { group, kind, plural } = design as NonNullable<typeof design>
        const made = { group, version: name, kind, type: modelOfCustomSchema(schema) }
        this.byName.set(`${group} ${name} ${plural}`, made)
        this.byName.set(`${group} ${name} ${kind}`, made)
      }
    }
  }

  /** @param name of the resource or of the kind */
  get(group: string, version: string, name: string): ServedKind | undefined {
    return this.byName.get(`${group} ${version} ${name}`)
  }
}

async function checkPolicy(
  text: string,
  { value, node }: ManifestDocument,
  document: number,
  own: OwnKinds,
  served: ServedTypes,
): Promise<CheckedText> {
  const spec = isJsonObject(value.spec) ? value.spec : {}
  const known = await servedFor(spec, own, served)
  const kinds = kindsIn(spec, known)
  const params = paramsType(spec, known)
  const problems: TextProblem[] = []
  const expressions: PlacedExpression[] = []
  for (const { path, place } of expressionsIn(spec)) {
    const scalar = scalarAt(node, path)
    if (scalar === undefined) continue
    const places = placesIn(text, scalar)
    const { issues, warnings, environment } = inspected(scalar.value, place, kinds, params)
    const placed =
      (severity: TextProblem['severity']) =>
      (issue: { message: string; start: number; end: number }) => {
        const start = places[issue.start] ?? 0
        return {
          message: issue.message,
          severity,
          start,
          end: Math.max(places[issue.end] ?? start, start + 1),
        }
      }
    problems.push(...issues.map(placed('error')), ...warnings.map(placed('warning')))
    expressions.push({ document, path, environment })
  }
  return { problems, expressions }
}

function inspected(
  expression: string,
  place: PolicyPlace,
  kinds: readonly CheckedKind[],
  params: ReturnType<typeof paramsType>,
) {
  const { issues, environment } = inspectPolicyExpression(expression, place)
  const typed = kinds.map((kind) => {
    const { authorizer, variables = [], use } = place
    const { types = {} } = declarationsFor(kind, params)
    return {
      kind,
      found: inspectPolicyExpression(expression, {
        authorizer,
        variables,
        use,
        wanted: 'anything',
        params: place.params,
        types,
      }),
    }
  })
  const warnings =
    issues.length > 0
      ? []
      : typed.flatMap(({ kind, found }) =>
          found.issues.map((issue) => ({
            ...issue,
            message: `${kindText(kind)}: ${issue.message}`,
          })),
        )
  return { issues, warnings, environment: typed[0]?.found.environment ?? environment }
}

const kindText = ({ group, version, kind }: CheckedKind): string =>
  `${group === '' ? version : `${group}/${version}`} ${kind}`

interface ExpressionPlace {
  path: (string | number)[]
  place: PolicyPlace
}

/**
 * The CEL expressions of a policy with their variables (kubernetes.io, "Validating Admission
 * Policy").
 */
function expressionsIn(spec: JsonObject): ExpressionPlace[] {
  const params = isJsonObject(spec.paramKind)
  const variables = items(spec.variables).flatMap(({ name, expression }) =>
    typeof name === 'string' && typeof expression === 'string' ? [{ name, expression }] : [],
  )
  const place = (wanted: PolicyPlace['wanted'], rest: Partial<PolicyPlace> = {}): PolicyPlace => ({
    wanted,
    params,
    authorizer: true,
    variables,
    use: 'new',
    ...rest,
  })
  const each = (
    list: string,
    member: string,
    of: (index: number) => PolicyPlace,
  ): ExpressionPlace[] =>
    items(spec[list]).flatMap((item, index) =>
      typeof item[member] === 'string'
        ? [{ path: ['spec', list, index, member], place: of(index) }]
        : [],
    )
  return [
    ...each('matchConditions', 'expression', () => place('bool', { variables: [] })),
    ...each('variables', 'expression', (index) =>
      place('anything', { variables: variables.slice(0, index) }),
    ),
    ...each('validations', 'expression', () => place('bool')),
    ...each('validations', 'messageExpression', () => place('string', { authorizer: false })),
    ...each('auditAnnotations', 'valueExpression', () => place('string or null')),
  ]
}

const items = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter(isJsonObject) : []
const texts = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []

async function servedFor(
  spec: JsonObject,
  own: OwnKinds,
  served: ServedTypes,
): Promise<ServedKinds> {
  const found = new Map<string, ServedKind>()
  const learn = async (
    group: string,
    version: string,
    resource: string,
    kind: string | undefined,
  ): Promise<void> => {
    if (kind === undefined) return
    const type = await served.typeOf(group === '' ? version : `${group}/${version}`, kind)
    if (type === undefined) return
    found.set(`${group} ${version} ${resource}`, { group, version, kind, type })
    found.set(`${group} ${version} ${kind}`, { group, version, kind, type })
  }
  const { resourceRules } = isJsonObject(spec.matchConstraints) ? spec.matchConstraints : {}
  const named = items(resourceRules).flatMap(({ apiGroups, apiVersions, resources }) =>
    texts(apiGroups).flatMap((group) =>
      texts(apiVersions).flatMap((version) =>
        texts(resources).map((resource) => ({ group, version, resource })),
      ),
    ),
  )
  const { apiVersion, kind } = isJsonObject(spec.paramKind) ? spec.paramKind : {}
  const { group, version } = parseApiVersion(typeof apiVersion === 'string' ? apiVersion : '')
  await Promise.all([
    ...named.map(({ group, version, resource }) =>
      learn(group, version, resource, served.kindOf(group, version, resource)),
    ),
    ...(typeof kind === 'string' ? [learn(group, version, kind, kind)] : []),
  ])
  const get = (group: string, version: string, name: string) =>
    own.get(group, version, name) ?? found.get(`${group} ${version} ${name}`)
  return {
    named: (group, version, name) => [get(group, version, name)].flatMap((kind) => kind ?? []),
    byKind: get,
  }
}
