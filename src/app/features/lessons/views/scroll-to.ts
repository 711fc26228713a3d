/**
 * Scrolls the panel of a lesson only. `scrollIntoView` also scrolls the page, which has no scroll bar
 * to get back.
 */
export function scrollTo(element: Element | null | undefined, edge: 'top' | 'bottom'): void {
  const body = element?.closest('.lesson-body')
  if (!element || !body) return
  const [inner, outer] = [element.getBoundingClientRect(), body.getBoundingClientRect()]
  const toTop = inner.top - outer.top
  if (edge === 'top') body.scrollTop += toTop
  // Of a taller element, its beginning is shown.
  else if (inner.bottom > outer.bottom)
    body.scrollTop += Math.min(toTop, inner.bottom - outer.bottom)
}
