/** Tries a CustomResourceDefinition and an object of its kind on a copy of the cluster. */

import { isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'
import { RULE_LIMIT, ruleCosts, SCHEMA_LIMIT } from '../../../engine/inspection/rule-expression'
import { PAGE_ACTOR } from '../../state/actors'
import { failureOf } from '../manifests/failure'
import { type Change, changesBetween } from '../objects/changes'
import {
  type Design,
  type DesignedVersion,
  designIn,
  objectsPath,
  pathInDefinition,
} from './definition'
import { type SchemaRow, schemaRows } from './schema-rows'
import { type Tried, tryRequests } from './trial'

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const INVALID = 422

export interface FieldProblem {
  field: string
  message: string
}

export interface Verdict {
  ok: boolean
  message: string | undefined
  causes: FieldProblem[]
  warnings: string[]
}

export interface DesignResult {
  design: Design
  version: DesignedVersion
  rows: SchemaRow[]
  definition: Verdict
  /** Maximum in one object, by the path of the expression; empty for an invalid schema. */
  costs: ReadonlyMap<string, number>
  total: number
  /** undefined: the definition was rejected, or there is no object. */
  object: (Verdict & { stored: JsonObject | undefined; changes: Change[] }) | undefined
}

export { RULE_LIMIT, SCHEMA_LIMIT }

/** @param versionName defaults to the first version */
export async function runDesign(
  document: JsonObject,
  sample: JsonObject | undefined,
  versionName: string,
): Promise<DesignResult | undefined> {
  const design = designIn(document)
  const version = design?.versions.find(({ name }) => name === versionName) ?? design?.versions[0]
  if (design === undefined || version === undefined) return undefined
  const [defined, , created] = await tryRequests(
    requestsFor(design, version, document, sample),
    PAGE_ACTOR,
  )
  if (defined === undefined) throw new Error('the server did not respond')
  const readable = defined.ok || defined.status === INVALID
  const costs = readable
    ? new Map(ruleCosts(version.schema, version.path).map(({ path, cost }) => [path, cost]))
    : new Map<string, number>()
  return {
    design,
    version,
    rows: schemaRows(version.schema, version.path),
    definition: verdictOf(defined, (field) => pathInDefinition(field, design)),
    costs,
    total: [...costs.values()].reduce((sum, cost) => sum + cost, 0),
    object:
      defined.ok && created && sample
        ? { ...verdictOf(created), ...storedOf(created, sample) }
        : undefined,
  }
}

/** Deletes an object of the same name, so that the trial is always a create. */
function requestsFor(
  design: Design,
  version: DesignedVersion,
  document: JsonObject,
  sample: JsonObject | undefined,
) {
  const name = encodeURIComponent(design.name)
  const path = `${DEFINITIONS}/${name}?fieldManager=designer&force=true`
  const define = {
    method: 'PATCH',
    path,
    body: JSON.stringify(document),
    contentType: 'application/apply-patch+yaml',
  }
  if (sample === undefined) return [define]
  const { name: sampleName = '', namespace = 'default' } = metadataOf(sample)
  const objects = objectsPath(design, version.name, String(namespace))
  const body = JSON.stringify(sample)
  return [
    define,
    { method: 'DELETE', path: `${objects}/${encodeURIComponent(String(sampleName))}` },
    { method: 'POST', path: `${objects}?fieldValidation=Warn`, body },
  ]
}

const metadataOf = ({ metadata }: JsonObject): JsonObject =>
  isJsonObject(metadata) ? metadata : {}

function verdictOf(result: Tried, place: (field: string) => string = (field) => field): Verdict {
  if (result.ok) return { ok: true, message: undefined, causes: [], warnings: result.warnings }
  const { message, causes } = failureOf(result)
  return {
    ok: false,
    message,
    causes: causes.map(({ field, message: text }) => ({ field: place(field), message: text })),
    warnings: result.warnings,
  }
}

const SERVERS = ['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields']

function storedOf(
  { ok, json }: Tried,
  sample: JsonObject,
): { stored: JsonObject | undefined; changes: Change[] } {
  if (!ok || !isJsonObject(json)) return { stored: undefined, changes: [] }
  const metadata = Object.fromEntries(
    Object.entries(metadataOf(json)).filter(([name]) => !SERVERS.includes(name)),
  )
  const stored = { ...json, metadata }
  return { stored, changes: changesBetween(sample as Json, stored as Json) }
}
