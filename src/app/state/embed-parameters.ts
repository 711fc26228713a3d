/**
 * Parameters of the embedded form: `?embed=1&panels=editor,ownership`. Every framed page has this
 * form: a page that is vulnerable to clickjacking must not contain data of the reader.
 */
const { search = '' } = globalThis.location ?? {}
const parameters = new URLSearchParams(search)

const isFramed = (): boolean => globalThis.window !== undefined && window.top !== window

/** If true, the page neither reads nor writes browser storage. */
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
