/** What is being explained, and beside what; and the glossary, once it is there. */
import { useEffect, useState } from 'react'
import { create } from 'zustand'
import type { WordKind } from './entry'
import type { FieldAddress } from './served-field'

export type Asked = { word: WordKind; name: string } | { field: FieldAddress }

interface ExplainState {
  asked: Asked | undefined
  /** What was pressed: the explanation stands beside it, and the focus returns to it. */
  anchor: HTMLElement | undefined
}

export const useExplain = create<ExplainState>(() => ({ asked: undefined, anchor: undefined }))

/** @param anchor undefined: the explanation stands in the middle */
export function explain(asked: Asked, anchor?: HTMLElement): void {
  useExplain.setState({ asked, anchor })
}

export function closeExplanation(): void {
  const { anchor } = useExplain.getState()
  useExplain.setState({ asked: undefined, anchor: undefined })
  anchor?.focus()
}

type Glossary = typeof import('./glossary')

let loaded: Glossary | undefined

export const loadGlossary = async (): Promise<Glossary> => (loaded ??= await import('./glossary'))

/** undefined until it is loaded, for which asking is reason enough. */
export function useGlossary(): Glossary | undefined {
  const [glossary, setGlossary] = useState(loaded)
  useEffect(() => {
    if (glossary === undefined) void loadGlossary().then((module) => setGlossary(() => module))
  }, [glossary])
  return glossary
}
