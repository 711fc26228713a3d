/** Sizes of panels, stored for each layout and for each set of visible panels. */
import { useDefaultLayout } from 'react-resizable-panels'
import { textStorage } from '../state/stored'

/** @returns the properties of a group of panels */
export function useSizes(id: string, panelIds: string[]) {
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: `kubetab.${id}`,
    panelIds,
    storage: textStorage,
  })
  return { id, onLayoutChanged, ...(defaultLayout ? { defaultLayout } : {}) }
}
