import { type RefObject, useLayoutEffect, useState } from 'react'
import type { Picture } from '../picture'

/** More lines would hide the picture. */
const MOST_LINES = 80

interface DrawnLine {
  /** Uids of its ends. */
  set: string
  pod: string
  d: string
  newest: boolean
}

export function useLines(box: RefObject<HTMLDivElement | null>, picture: Picture): DrawnLine[] {
  const [lines, setLines] = useState<DrawnLine[]>([])
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    const measure = () => setLines(linesIn(element, picture))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [box, picture])
  return lines
}

function linesIn(box: HTMLElement, { workloads }: Picture): DrawnLine[] {
  const sets = workloads.flatMap((workload) => workload.sets)
  if (sets.reduce((sum, { pods }) => sum + pods.length, 0) > MOST_LINES) return []
  const origin = box.getBoundingClientRect()
  const placeOf = (selector: string) => box.querySelector(selector)?.getBoundingClientRect()
  return sets.flatMap(({ uid, pods, newest }) => {
    const from = placeOf(`[data-source="${CSS.escape(uid)}"]`)
    if (from === undefined) return []
    return pods.flatMap((pod) => {
      const to = placeOf(`[data-pod="${CSS.escape(pod.uid)}"]`)
      // Stacked cards have no space for a line.
      if (to === undefined || to.left < from.right) return []
      const [x1, y1] = [from.right - origin.left, from.top + from.height / 2 - origin.top]
      const [x2, y2] = [to.left - origin.left, to.top + to.height / 2 - origin.top]
      const bend = (x2 - x1) / 2
      return [
        {
          set: uid,
          pod: pod.uid,
          d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
          newest,
        },
      ]
    })
  })
}
