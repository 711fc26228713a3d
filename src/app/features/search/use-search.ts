/** Loads the searched data when the palette opens. */
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useCluster } from '../../state/cluster'
import { type ServedResource, useDiscovery } from '../../state/discovery'
import { useGlossary } from '../explain/state'
import { type FoundField, fieldsOf, pathIn, readPath } from './fields'
import { type FoundGroup, type FoundLesson, type Searched, search } from './search'

/** `settled`: the groups belong to this query and not to an earlier one. */
export function useSearch(query: string): { groups: FoundGroup[]; settled: boolean } {
  const requested = useDeferredValue(query)
  // Typing takes priority over changes of the cluster.
  const kinds = useDeferredValue(useCluster((state) => state.kinds))
  const resources = useDiscovery((state) => state.resources)
  const words = useGlossary()?.GLOSSARY
  const lessons = useLessons()
  const releases = useReleases()
  const otherWords = useOtherWords()
  const fields = useFields(requested, resources)
  const groups = useMemo(
    () =>
      search(requested, {
        kinds: kinds.values(),
        resources,
        fields,
        lessons,
        releases,
        words: words ?? [],
        otherWords,
      }),
    [requested, kinds, resources, fields, lessons, releases, words, otherWords],
  )
  return { groups, settled: requested === query }
}

const NONE: readonly never[] = []

function useLessons(): readonly FoundLesson[] {
  const [lessons, setLessons] = useState<readonly FoundLesson[]>(NONE)
  useEffect(() => {
    void import('../lessons/found-lessons').then((found) => setLessons(found.FOUND_LESSONS))
  }, [])
  return lessons
}

function useReleases(): Searched['releases'] {
  const [releases, setReleases] = useState<Searched['releases']>(NONE)
  useEffect(() => {
    void import('../releases/found-releases').then((found) => setReleases(found.FOUND_RELEASES))
  }, [])
  return releases
}

const NO_WORDS: Readonly<Record<string, string>> = {}

function useOtherWords(): Readonly<Record<string, string>> {
  const [words, setWords] = useState(NO_WORDS)
  useEffect(() => {
    void import('./other-words').then(({ OTHER_WORDS }) => setWords(OTHER_WORDS))
  }, [])
  return words
}

function useFields(query: string, resources: readonly ServedResource[]): readonly FoundField[] {
  const [fields, setFields] = useState<readonly FoundField[]>(NONE)
  useEffect(() => {
    let current = true
    const path = pathIn(query)
    const found = path === undefined ? Promise.resolve(NONE) : fieldsAt(path, resources)
    void found.then((fields) => current && setFields(fields))
    return () => {
      current = false
    }
  }, [query, resources])
  return fields
}

async function fieldsAt(path: string, resources: readonly ServedResource[]): Promise<FoundField[]> {
  const { typeOfKind } = await import('../objects/types')
  const { of, names } = readPath(path, resources)
  const found = await Promise.all(
    of.map(async (resource) => {
      const { group, version, kind } = resource
      const type = await typeOfKind(group === '' ? version : `${group}/${version}`, kind)
      return type ? fieldsOf(type, resource, names) : []
    }),
  )
  return found.flat()
}
