/**
 * Parameters of the embedded form: `?embed=1&panels=editor,ownership`. Every framed page has this
 * form, because a page open to clickjacking must not contain the reader's data.
 */
const { search = '' } = globalThis.location ?? {}
const parameters = new URLSearchParams(search)

const isFramed = (): boolean => globalThis.window !== undefined && window.top !== window

/** Embedded pages neither read nor write browser storage. */
export const EMBEDDED: boolean = parameters.get('embed') === '1' || isFramed()

export const PANEL_NAMES: readonly string[] = (parameters.get('panels') ?? 'editor,object,results')
  .split(',')
  .filter((name) => name !== '')

export const LESSON_PARAMETER: string = EMBEDDED ? (parameters.get('lesson') ?? '') : ''

/** `dark`, `light`; empty follows the system. */
export const THEME_PARAMETER: string = parameters.get('theme') ?? ''

/** The origin of the embedding page, as it states it; empty disables the message API. */
export const PARENT_ORIGIN: string = originOf(parameters.get('origin') ?? '')

function originOf(text: string): string {
  try {
    const { origin, protocol } = new URL(text)
    return protocol === 'https:' || protocol === 'http:' ? origin : ''
  } catch {
    return ''
  }
}
