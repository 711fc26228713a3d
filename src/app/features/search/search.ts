import { apiVersionOf, entryOf } from '../../../engine/core/object'
import { registeredCommands } from '../../commands/registry'
import type { TreeKind } from '../../state/cluster'
import { idOf, type ServedResource } from '../../state/discovery'
import { pluralOf } from '../../state/plural'
import type { TreeObject } from '../../state/tree-object'
import { selectObject, useView } from '../../state/view'
import { actorCommands } from '../access/identities/commands'
import { WORD_KINDS, type Entry as Word } from '../explain/entry'
import { explain } from '../explain/state'
import { useTree } from '../explorer/tree'
import { openNew } from '../manifests/new-object'
import type { FoundField } from './fields'
import { textOfKind, textOfNew } from './kind-terms'
import { best, type Text, wordsOf } from './rank'
import * as texts from './shell-texts'

export interface Found {
  key: string
  title: string
  hint: string
  keys?: string
  /** A name of the API rather than a sentence. */
  isName: boolean
  run(): void
}

export interface FoundGroup {
  title: string
  entries: Found[]
  more: number
}

/** A lesson, or an incident. */
export interface FoundLesson {
  key: string
  title: string
  /** Further searched words. */
  more: string
  hint: string
  open(): void
}

/** Parts load after the first key. */
export interface Searched {
  kinds: Iterable<TreeKind>
  resources: readonly ServedResource[]
  fields: readonly FoundField[]
  lessons: readonly FoundLesson[]
  releases: readonly { text: Text; entry: Found }[]
  words: readonly Word[]
  otherWords: Readonly<Record<string, string>>
}

interface Ranked extends FoundGroup {
  score: number
}

const MOST = 7
const MOST_OBJECTS = 20

/** The group with the best entry is first; an empty query finds all commands. */
export function search(query: string, searched: Searched): FoundGroup[] {
  const words = wordsOf(query)
  const listed = commands(searched.otherWords)
  if (words.length === 0)
    return [{ title: texts.commands, entries: listed.map(({ entry }) => entry), more: 0 }]
  const groups = [
    ranked(
      texts.commands,
      listed,
      words,
      ({ text }) => text,
      ({ entry }) => entry,
      MOST,
    ),
    ranked(
      texts.objects,
      objectsOf(searched.kinds),
      words,
      textOfObject,
      entryOfObject,
      MOST_OBJECTS,
    ),
    fieldGroup(searched.fields),
    ranked(
      texts.kinds,
      searched.resources.filter(({ verbs }) => verbs.includes('list')),
      words,
      textOfKind,
      entryOfKind,
      MOST,
    ),
    ranked(
      texts.newObjects,
      searched.resources.filter(({ verbs }) => verbs.includes('create')),
      words,
      textOfNew,
      entryOfNew,
      words.includes('new') ? 60 : MOST,
    ),
    ranked(texts.lessons, searched.lessons, words, textOfLesson, entryOfLesson, MOST),
    ranked(
      texts.releases,
      searched.releases,
      words,
      ({ text }) => text,
      ({ entry }) => entry,
      MOST,
    ),
    ranked(texts.glossary, searched.words, words, textOfWord, entryOfWord, MOST),
  ]
  return groups.filter(({ entries }) => entries.length > 0).sort((a, b) => b.score - a.score)
}

function ranked<Item>(
  title: string,
  items: Iterable<Item>,
  words: readonly string[],
  textOf: (item: Item) => Text,
  entryOf: (item: Item) => Found,
  most: number,
): Ranked {
  const { found, fitting } = best(items, words, textOf, most)
  return {
    title,
    entries: found.map(({ item }) => entryOf(item)),
    more: fitting - found.length,
    score: found[0]?.score ?? 0,
  }
}

function commands(otherWords: Searched['otherWords']): { text: Text; entry: Found }[] {
  return [...registeredCommands(), ...actorCommands()]
    .filter(({ id }) => id !== 'palette')
    .map(({ id, title, group, keys, run }) => ({
      text: {
        title: title.toLowerCase(),
        more: `${group.toLowerCase()} ${entryOf(otherWords, id) ?? ''}`,
      },
      entry: { key: id, title, hint: group, isName: false, run, ...(keys ? { keys } : {}) },
    }))
}

interface Placed {
  kind: TreeKind
  object: TreeObject
}

function* objectsOf(kinds: Iterable<TreeKind>): Generator<Placed> {
  for (const kind of kinds) for (const object of kind.objects.values()) yield { kind, object }
}

/** Cached, because all objects are searched at every key. */
const objectTexts = new WeakMap<TreeObject, Text>()

function textOfObject({ kind: { resource }, object }: Placed): Text {
  let text = objectTexts.get(object)
  if (text === undefined) {
    const more = `${resource.kind} ${resource.resource} ${resource.shortNames.join(' ')} ${object.namespace}`
    text = { title: object.name.toLowerCase(), more: more.toLowerCase() }
    objectTexts.set(object, text)
  }
  return text
}

function entryOfObject({ kind: { resource }, object: { name, namespace, uid } }: Placed): Found {
  const hint = `${resource.kind}${namespace ? texts.inNamespace(namespace) : ''}`
  return {
    key: uid,
    title: name,
    hint,
    isName: true,
    run: () => selectObject({ resource, namespace, name }),
  }
}

function fieldGroup(fields: readonly FoundField[]): Ranked {
  const entries = fields.slice(0, MOST_OBJECTS).map(
    ({ title, address }): Found => ({
      key: `field ${address.apiVersion} ${title}`,
      title,
      hint: texts.fieldOf(address.kind),
      isName: true,
      run: () => explain({ field: address }),
    }),
  )
  return {
    title: texts.fields,
    entries,
    more: fields.length - entries.length,
    score: fields.some(({ exact }) => exact) ? 200 : 90,
  }
}

const entryOfKind = (resource: ServedResource): Found => ({
  key: `kind ${idOf(resource)}`,
  title: pluralOf(resource),
  hint: apiVersionOf(resource.group, resource.version),
  isName: true,
  run() {
    useTree.getState().setFilter(resource.resource)
    useView.getState().set({ pane: 'explorer' })
  },
})

const entryOfNew = (resource: ServedResource): Found => ({
  key: `new ${idOf(resource)}`,
  title: texts.newKind(resource.kind),
  hint: apiVersionOf(resource.group, resource.version),
  isName: false,
  run: () => void openNew(resource),
})

const textOfLesson = ({ title, more }: FoundLesson): Text => ({
  title: title.toLowerCase(),
  more: more.toLowerCase(),
})

const entryOfLesson = ({ key, title, hint, open }: FoundLesson): Found => ({
  key,
  title,
  hint,
  isName: false,
  run: open,
})

const textOfWord = ({ name, kind, text }: Word): Text => ({
  title: name.toLowerCase(),
  more: `${WORD_KINDS[kind]} ${text}`.toLowerCase(),
})

const entryOfWord = ({ id, kind, name }: Word): Found => ({
  key: id,
  title: name,
  hint: WORD_KINDS[kind],
  isName: true,
  run: () => explain(kind === 'field' ? { word: 'field', name } : { word: kind, name }),
})
