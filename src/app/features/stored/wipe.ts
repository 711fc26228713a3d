import { onWipe } from '../../../hosts/shared/wipe'
import { BASE } from '../../state/base'
import { EMBEDDED } from '../../state/embed-parameters'
import { useView } from '../../state/view'

export const STORED_HASH = '#stored'

export function showStored(): void {
  history.replaceState(history.state, '', location.pathname + location.search)
  useView.getState().set({ dialog: 'stored' })
}

/** Opens the dialog again after a reload. */
export function loadAgain(): void {
  location.hash = STORED_HASH
  location.reload()
}

const PARAMETER = 'wipe'
const ADDRESS = `${BASE}?${PARAMETER}`

export const IS_WIPE_PAGE = !EMBEDDED && new URLSearchParams(location.search).has(PARAMETER)

/** In sessionStorage, so that no link can start a wipe. */
const AGREED = 'kubetab.remove-everything'

/** Opens the wipe page after a confirmation. @throws DOMException if the browser stores nothing */
export function wipe(): void {
  sessionStorage.setItem(AGREED, 'yes')
  location.assign(ADDRESS)
}

/** @returns whether the user confirmed the wipe in this tab; true only once */
export function isWipeConfirmed(): boolean {
  try {
    const agreed = sessionStorage.getItem(AGREED) !== null
    sessionStorage.removeItem(AGREED)
    return agreed
  } catch {
    return false
  }
}

/** Other tabs would continue with deleted data. */
export function followWipes(): void {
  onWipe(() => location.replace(ADDRESS))
}
