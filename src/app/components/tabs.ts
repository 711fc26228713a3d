/** Scrolls the selected tab into view. */
import { type RefObject, useEffect, useRef } from 'react'

/** @param chosen key of the selected tab @returns a ref for the scrolling list */
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
