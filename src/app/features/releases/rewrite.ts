/** Rewrites a manifest to its replacement version; keeps comments and explains each change. */
import { equalJson, type Json, type KubeObject, parseApiVersion } from '../../../engine/core/object'
import { tablesOf } from '../../../engine/release-tables/tables'
import {
  type Change,
  ConversionError,
  convertManifest,
  hasCome,
  lifecycleOf,
  type Release,
  removalOf,
} from '../../../engine/releases'
import { fieldPath, parseManifest } from '../manifests/documents'
import { manifestEditedAt } from '../manifests/edit'
import { printedObject, type SourcedManifest } from './manifests'

export interface Rewritten {
  /** `networking.k8s.io/v1` */
  apiVersion: string
  /** The first release that accepts it. */
  since: string
  object: KubeObject
  text: string
  changes: Change[]
  /** Decisions left to the user. */
  undecided: string[]
}

/** @returns undefined if the version stays, or has no replacement */
export function rewrittenFor(
  { object, text }: SourcedManifest,
  release: Release,
): Rewritten | undefined {
  const target = successorOf(object.apiVersion, object.kind, release)
  if (target === undefined) return undefined
  try {
    const { object: converted, changes, undecided } = convertManifest(object, target.apiVersion)
    return {
      ...target,
      object: converted,
      text: textOf(text, converted, changes),
      changes,
      undecided,
    }
  } catch (error) {
    if (error instanceof ConversionError) return undefined
    throw error
  }
}

interface Successor {
  apiVersion: string
  since: string
}

/**
 * Follows replacements to one that is not deprecated. The removal table takes precedence, because
 * it names the final version.
 */
function successorOf(apiVersion: string, kind: string, release: Release): Successor | undefined {
  let found: Successor | undefined
  let at = apiVersion
  for (const passed = new Set<string>(); !passed.has(at); ) {
    passed.add(at)
    const next = nextOf(at, kind, release)
    if (next === undefined) break
    found = next
    at = next.apiVersion
  }
  return found
}

function nextOf(apiVersion: string, kind: string, release: Release): Successor | undefined {
  const { group, version } = parseApiVersion(apiVersion)
  const tables = tablesOf(release)
  const lifecycle = lifecycleOf(group, version, kind, tables)
  if (lifecycle?.deprecated === undefined || !hasCome(lifecycle.deprecated, release))
    return undefined
  const [row] = removalOf(apiVersion, kind)?.replacements ?? []
  const [named] = lifecycle.replacement?.split(' ') ?? []
  const next = row?.apiVersion ?? named
  if (next === undefined) return undefined
  const parts = parseApiVersion(next)
  const since = row?.since ?? lifecycleOf(parts.group, parts.version, kind, tables)?.introduced
  return since !== undefined && hasCome(since, release) ? { apiVersion: next, since } : undefined
}

/** Keeps the manifest's own text if the edited text parses to the object. */
function textOf(text: string, converted: KubeObject, changes: readonly Change[]): string {
  const [document] = parseManifest(text).documents
  const edits = changes.flatMap(({ path, after }) => {
    const place = fieldPath(path).filter(
      (part): part is string | number => typeof part !== 'object',
    )
    return place.length === 0 ? [] : [{ place, value: after }]
  })
  const edited = document && manifestEditedAt(text, document.line, edits)
  const [again] = edited === undefined ? [] : parseManifest(edited).documents
  return edited !== undefined && again && equalJson(again.value, withoutEmptyMetadata(converted))
    ? edited
    : printedObject(converted)
}

/** A manifest without metadata is parsed with empty metadata. */
function withoutEmptyMetadata({ metadata, ...rest }: KubeObject): Json {
  return (Object.keys(metadata).length === 0 ? rest : { ...rest, metadata }) as unknown as Json
}
