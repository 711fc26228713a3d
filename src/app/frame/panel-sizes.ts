/** Stored for each layout and set of visible panels. */
import { useDefaultLayout } from 'react-resizable-panels'
import { textStorage } from '../state/stored'

export function useSizes(id: string, panelIds: string[]) {
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: `kubetab.${id}`,
    panelIds,
    storage: textStorage,
  })
  return { id, onLayoutChanged, ...(defaultLayout ? { defaultLayout } : {}) }
}
