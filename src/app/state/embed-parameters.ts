/** `?embed=1&panels=editor,ownership`. Every framed page is embedded, because of clickjacking. */
const { search = '' } = globalThis.location ?? {}
const parameters = new URLSearchParams(search)

const isFramed = (): boolean => globalThis.window !== undefined && window.top !== window

/** Disables browser storage. */
export const EMBEDDED: boolean = parameters.get('embed') === '1' || isFramed()

export const PANEL_NAMES: readonly string[] = (parameters.get('panels') ?? 'editor,object,results')
  .split(',')
  .filter((name) => name !== '')

export const LESSON_PARAMETER: string = EMBEDDED ? (parameters.get('lesson') ?? '') : ''

/** `dark`, `light`; empty: the system's. */
export const THEME_PARAMETER: string = parameters.get('theme') ?? ''

/** As stated by the embedding page; empty: the message API is off. */
export const PARENT_ORIGIN: string = originOf(parameters.get('origin') ?? '')

function originOf(text: string): string {
  try {
    const { origin, protocol } = new URL(text)
    return protocol === 'https:' || protocol === 'http:' ? origin : ''
  } catch {
    return ''
  }
}
