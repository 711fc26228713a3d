import { useEffect, useState } from 'react'
import { create } from 'zustand'
import type { WordKind } from './entry'
import type { FieldAddress } from './served-field'

export type ExplainTarget = { word: WordKind; name: string } | { field: FieldAddress }

interface ExplainState {
  target: ExplainTarget | undefined
  /** The explanation is shown next to it, and the focus returns to it. */
  anchor: HTMLElement | undefined
}

export const useExplain = create<ExplainState>(() => ({ target: undefined, anchor: undefined }))

/** @param anchor undefined: centered */
export function explain(target: ExplainTarget, anchor?: HTMLElement): void {
  useExplain.setState({ target, anchor })
}

export function closeExplanation(): void {
  const { anchor } = useExplain.getState()
  useExplain.setState({ target: undefined, anchor: undefined })
  anchor?.focus()
}

type Glossary = typeof import('./glossary')

let loaded: Glossary | undefined

const loadGlossary = async (): Promise<Glossary> => (loaded ??= await import('./glossary'))

/** Loads the glossary on first use; undefined until then. */
export function useGlossary(): Glossary | undefined {
  const [glossary, setGlossary] = useState(loaded)
  useEffect(() => {
    if (glossary === undefined) void loadGlossary().then((module) => setGlossary(() => module))
  }, [glossary])
  return glossary
}
