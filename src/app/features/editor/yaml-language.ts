import type * as Monaco from 'monaco-editor/editor/editor.api'
import type { Field, TypeNode } from '../../../engine/schema/model'
import { useDiscovery } from '../../state/discovery'
import type { Source } from '../explain/entry'
import { explainField, type FieldExplanation } from '../explain/fields'
import type { FieldAddress } from '../explain/served-field'
import { typeOfKind } from '../objects/types'
import { type Place, placeAt, typedPart } from './cursor'
import { FIELDS } from './texts'

type Api = typeof Monaco

async function typeAt(place: Place): Promise<TypeNode | undefined> {
  let type: TypeNode | undefined = await typeOfKind(place.apiVersion, place.kind)
  for (const parent of place.parents) {
    if (parent === '[]') type = type?.type === 'list' ? type.items : undefined
    else if (type?.type === 'struct') type = type.byName.get(parent)?.type ?? type.additional
    else if (type?.type === 'map') type = type.values
    else return undefined
  }
  return type
}

/** `[]Container`, `map[string]string`, `int32` … */
function typeText(type: TypeNode): string {
  switch (type.type) {
    case 'struct':
      return type.name.split('.').pop() || 'object'
    case 'map':
      return `map[string]${typeText(type.values)}`
    case 'list':
      return `[]${typeText(type.items)}`
    case 'scalar':
      return type.format
    default:
      return FIELDS.anyValue
  }
}

export function registerYamlLanguage(monaco: Api): void {
  monaco.languages.registerCompletionItemProvider('yaml', {
    triggerCharacters: [' '],
    async provideCompletionItems(model, position) {
      const { lineNumber, column } = position
      const before = model.getLineContent(lineNumber).slice(0, column - 1)
      const typed = typedPart(before)
      if (typed === undefined) return { suggestions: [] }
      const place = placeAt(model.getValue(), lineNumber - 1, column - 1)
      const type = await typeAt(place)
      const items = place.inValue ? values(monaco, place, type) : keys(monaco, place, type)
      // A complete word needs no completion; the list is requested again with each key.
      if (items.some(({ label }) => label === typed)) return { suggestions: [], incomplete: true }
      const range = {
        startLineNumber: lineNumber,
        endLineNumber: lineNumber,
        startColumn: column - typed.length,
        endColumn: column,
      }
      return { suggestions: items.map((item) => ({ ...item, range })), incomplete: true }
    },
  })
  monaco.languages.registerHoverProvider('yaml', {
    async provideHover(model, position) {
      const address = fieldAt(model.getValue(), position)
      if (address === undefined) return null
      const place = placeAt(model.getValue(), position.lineNumber - 1, position.column - 1)
      const type = await typeAt(place)
      const field = place.key && type?.type === 'struct' ? type.byName.get(place.key) : undefined
      // For a custom resource, the server's description equals the type's.
      const words = explainedText(await explainField(address)).filter(
        (text) => text !== field?.description,
      )
      const parts = [...(field ? [describe(field)] : []), ...words]
      return parts.length > 0 ? { contents: parts.map((value) => ({ value })) } : null
    },
  })
}

export function fieldAt(
  text: string,
  { lineNumber, column }: Pick<Monaco.Position, 'lineNumber' | 'column'>,
): FieldAddress | undefined {
  const { parents, key, apiVersion, kind } = placeAt(text, lineNumber - 1, column - 1)
  if (key === undefined || kind === '') return undefined
  const value = text.split('\n')[lineNumber - 1]?.split(/:\s/)[1]?.trim()
  return { apiVersion, kind, path: [...parents, key], ...(value ? { value } : {}) }
}

/** A paragraph each: the page's words, the value's, the server's, and links. */
function explainedText({ words, value, served }: FieldExplanation): string[] {
  const [text, ...see] = words ?? []
  const sources = [...see, ...(value?.see ?? [])].map(sourceText)
  return [
    ...(text ? [text] : []),
    ...(value ? [`\`${value.name}\`: ${value.text}`] : []),
    ...(served?.description ? [served.description] : []),
    ...(sources.length > 0 ? [sources.join(' · ')] : []),
  ]
}

const sourceText = ({ title, url }: Source): string => `[${title}](${url})`

type Item = Omit<Monaco.languages.CompletionItem, 'range'>

function keys(monaco: Api, place: Place, type: TypeNode | undefined): Item[] {
  if (place.parents.length === 0 && type === undefined) {
    return ['apiVersion', 'kind', 'metadata']
      .filter((name) => !place.siblings.includes(name))
      .map((name) => ({
        label: name,
        kind: monaco.languages.CompletionItemKind.Field,
        insertText: `${name}: `,
      }))
  }
  if (type?.type !== 'struct') return []
  return type.fields
    .filter(({ name }) => !place.siblings.includes(name))
    .map((field) => ({
      label: field.name,
      kind: monaco.languages.CompletionItemKind.Field,
      detail: typeText(field.type) + (field.required ? FIELDS.required : ''),
      documentation: { value: describe(field) },
      sortText: (field.required ? '0' : '1') + field.name,
      insertText: insertOf(field),
    }))
}

function insertOf(field: Field): string {
  const indent = ' '.repeat(2)
  if (field.type.type === 'struct' || field.type.type === 'map') return `${field.name}:\n${indent}`
  if (field.type.type === 'list') return `${field.name}:\n${indent}- `
  return `${field.name}: `
}

function values(monaco: Api, place: Place, type: TypeNode | undefined): Item[] {
  const kind = monaco.languages.CompletionItemKind.Value
  const plain = (texts: string[]): Item[] =>
    texts.map((text) => ({ label: text, kind, insertText: text }))
  const { resources } = useDiscovery.getState()
  if (place.parents.length === 0 && place.key === 'kind')
    return plain(
      [
        ...new Set(
          resources.filter(({ verbs }) => verbs.includes('create')).map((entry) => entry.kind),
        ),
      ].sort(),
    )
  if (place.parents.length === 0 && place.key === 'apiVersion') {
    const fitting = resources.filter((entry) => place.kind === '' || entry.kind === place.kind)
    return plain(
      [
        ...new Set(
          fitting.map(({ group, version }) => (group === '' ? version : `${group}/${version}`)),
        ),
      ].sort(),
    )
  }
  const field = place.key && type?.type === 'struct' ? type.byName.get(place.key) : undefined
  if (field?.enum) return plain(field.enum)
  if (field?.type.type === 'scalar' && field.type.enum) return plain(field.type.enum)
  if (field?.type.type === 'scalar' && field.type.format === 'boolean')
    return plain(['true', 'false'])
  return []
}

function describe(field: Field): string {
  const lines = [
    `**${field.name}** \`${typeText(field.type)}\`${field.required ? FIELDS.required : ''}`,
  ]
  if (field.default !== undefined) lines.push(FIELDS.default(JSON.stringify(field.default)))
  if (field.enum) lines.push(FIELDS.oneOf(field.enum.map((value) => `\`${value}\``).join(', ')))
  if (field.type.type === 'list' && field.type.listType !== 'atomic')
    lines.push(
      field.type.listType === 'map' ? FIELDS.keyedBy(field.type.mapKeys.join('`, `')) : FIELDS.set,
    )
  if (
    (field.type.type === 'list' && field.type.listType === 'atomic') ||
    ('atomic' in field.type && field.type.atomic)
  )
    lines.push(FIELDS.atomic)
  if (field.description) lines.push(field.description)
  return lines.join('\n\n')
}
