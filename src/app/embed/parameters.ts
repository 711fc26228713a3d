/**
 * How the page is shown as a frame of another one: `?embed=1&panels=editor,ownership`. Whatever is framed is shown so: a page that
 * could be clicked through another one's paint must hold nothing of the reader's.
 */
const { search = '' } = globalThis.location ?? {}
const parameters = new URLSearchParams(search)

const isFramed = (): boolean => globalThis.window !== undefined && window.top !== window

/** Nothing is kept then, and nothing that this browser keeps is read or changed. */
export const EMBEDDED: boolean = parameters.get('embed') === '1' || isFramed()

/** The panels that are named, in their order. */
export const PANEL_NAMES: readonly string[] = (parameters.get('panels') ?? 'editor,object,results')
  .split(',')
  .filter((name) => name !== '')

/** Id of the lesson that the frame holds; empty: none. */
export const LESSON_PARAMETER: string = EMBEDDED ? (parameters.get('lesson') ?? '') : ''

/** `dark`, `light`; empty: as the reader's system has it. */
export const THEME_PARAMETER: string = parameters.get('theme') ?? ''

/** The origin of the embedding page, as that page states it; empty: the message API is off. */
export const PARENT_ORIGIN: string = originOf(parameters.get('origin') ?? '')

function originOf(text: string): string {
  try {
    const { origin, protocol } = new URL(text)
    return protocol === 'https:' || protocol === 'http:' ? origin : ''
  } catch {
    return ''
  }
}
