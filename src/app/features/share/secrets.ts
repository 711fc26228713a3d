import { isMap, isScalar, type Node, parseAllDocuments, type YAMLMap } from 'yaml'
import { ANNOTATION } from '../../../engine/core/names'
import type { KubeObject } from '../../../engine/core/object'
import type { EditorTab } from '../manifests/editors'
import { nestsTooDeep } from '../manifests/yaml-nesting'

type File = Pick<EditorTab, 'title' | 'language' | 'text' | 'manager'>

const isSecret = ({ kind, apiVersion }: KubeObject): boolean =>
  kind === 'Secret' && apiVersion === 'v1'

/** Clears the values of Secrets, also in the last-applied annotation; keeps their keys. */
export function withoutSecretValues(objects: readonly KubeObject[]): KubeObject[] {
  return objects.map((object) => {
    if (!isSecret(object)) return object
    const { [ANNOTATION.lastApplied]: _applied, ...annotations } = object.metadata.annotations ?? {}
    const { data, stringData: _stringData, ...rest } = object
    return {
      ...rest,
      metadata: { ...object.metadata, annotations },
      ...(data ? { data: emptied(data as Record<string, string>) } : {}),
    }
  })
}

const emptied = (data: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.keys(data).map((key) => [key, '']))

/** The rest of the text remains unchanged. */
export function withoutSecretTexts(files: readonly File[]): File[] {
  return files.map((file) =>
    file.language === 'yaml' ? { ...file, text: withoutValues(file.text) } : file,
  )
}

export function holdsSecrets(objects: readonly KubeObject[], files: readonly File[]): boolean {
  const inObjects = objects.some(
    (object) =>
      isSecret(object) &&
      Object.values((object.data ?? {}) as object).some((value) => value !== ''),
  )
  return (
    inObjects ||
    files.some(({ language, text }) => language === 'yaml' && withoutValues(text) !== text)
  )
}

const UNREADABLE = '# Left out: a Secret may be in here, and the text is not valid YAML.\n'

function withoutValues(text: string): string {
  if (!/Secret/.test(text)) return text
  // An invalid text cannot be cleared reliably.
  if (nestsTooDeep(text)) return UNREADABLE
  const documents = parseAllDocuments(text, { version: '1.1', prettyErrors: false })
  if ('empty' in documents) return text
  if (documents.some(({ errors }) => errors.length > 0)) return UNREADABLE
  const ranges = documents
    .flatMap(({ contents }) => secretRanges(contents))
    .sort((a, b) => b[0] - a[0])
  return ranges.reduce(
    (cleared, [start, end]) => `${cleared.slice(0, start)}""${cleared.slice(end)}`,
    text,
  )
}

/** Also in the items of a List. */
function secretRanges(node: Node | null): [start: number, end: number][] {
  if (!isMap(node)) return []
  if (node.get('kind') === 'Secret')
    return [...valueRanges(node.get('data')), ...valueRanges(node.get('stringData'))]
  const items = node.get('items') as { items?: Node[] } | undefined
  return (items?.items ?? []).flatMap(secretRanges)
}

function valueRanges(data: unknown): [number, number][] {
  if (!isMap(data)) return []
  return (data as YAMLMap<Node, Node | null>).items.flatMap(({ value }) => {
    if (!isScalar(value) || !value.range || value.value === '') return []
    // A block scalar ends with its last newline, which belongs to the document.
    const [start, end] = value.range
    return [[start, value.type?.startsWith('BLOCK') ? end - 1 : end] as [number, number]]
  })
}
