import { type RefObject, useEffect, useRef } from 'react'

/** Scrolls the selected tab into view. @returns a ref for the list of tabs */
export function useChosenInSight(chosen: string): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another choice is the reason to look
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected="true"], [aria-checked="true"]')
      ?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [chosen])
  return list
}
