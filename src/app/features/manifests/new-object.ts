import type { ServedResource } from '../../state/discovery'
import { useView } from '../../state/view'
import { useEditors } from './editors'

export async function openNew(resource: ServedResource): Promise<void> {
  const { exampleOf } = await import('./examples')
  useEditors.getState().open({
    title: `${resource.kind.toLowerCase()}.yaml`,
    language: 'yaml',
    text: exampleOf(resource),
  })
  useView.getState().set({ pane: 'editor', welcome: false })
}
