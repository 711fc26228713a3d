import { FIRST_WORKSPACE } from '../../hosts/shared/paths'
import { Keys } from '../commands/Keys'
import { runCommand } from '../commands/registry'
import { Icon, Mark } from '../components/Icon'
import { Menu } from '../components/Menu'
import { type Theme, useView } from '../state/view'
import { titleOf, WORKSPACE } from '../state/workspace'
import { ActorSwitcher } from './ActorSwitcher'
import { PlaceMenu } from './Places'
import { ReleaseButton } from './ReleaseButton'

const THEMES: { value: Theme; title: string }[] = [
  { value: 'system', title: 'System' },
  { value: 'light', title: 'Light' },
  { value: 'dark', title: 'Dark' },
]

export function TopBar() {
  const theme = useView((state) => state.theme)
  return (
    <header className="topbar">
      <h1 className="brand-heading">
        <button
          type="button"
          className="brand"
          aria-label="kubetab"
          onClick={() => runCommand('about')}
          title="What's simulated and what isn't"
        >
          <Mark />
          <span className="brand-word">kubetab</span>
        </button>
      </h1>
      <PlaceMenu />
      <ReleaseButton />
      {WORKSPACE !== FIRST_WORKSPACE && (
        <button
          type="button"
          className="chip-button desktop-only"
          onClick={() => runCommand('workspaces')}
          title="Another workspace: its own cluster and files"
        >
          {titleOf(WORKSPACE)}
        </button>
      )}
      <button
        type="button"
        className="search-button"
        aria-label="Search or run a command"
        onClick={() => runCommand('palette')}
      >
        <Icon name="search" />
        <span className="wide-only">Search or run a command</span>
        <Keys keys="Mod+K" />
      </button>
      <ActorSwitcher />
      <button type="button" className="button wide-only" onClick={() => runCommand('share')}>
        <Icon name="share" size={14} /> Share
      </button>
      <Menu
        label="More"
        className="button quiet icon-only"
        face={<Icon name="more" />}
        items={[
          {
            title: 'Workspaces',
            hint: titleOf(WORKSPACE),
            icon: 'layers',
            run: () => runCommand('workspaces'),
          },
          { title: 'Share a link', icon: 'share', run: () => runCommand('share') },
          {
            title: 'Export the cluster',
            hint: 'YAML',
            icon: 'file',
            run: () => runCommand('export'),
          },
          {
            title: 'Import a cluster',
            hint: 'YAML',
            icon: 'layers',
            run: () => runCommand('import'),
          },
          {
            title: 'Reset the cluster',
            icon: 'trash',
            danger: true,
            run: () => runCommand('reset'),
          },
          { heading: 'Theme' },
          ...THEMES.map(({ value, title }) => ({
            title,
            checked: value === theme,
            run: () => useView.getState().set({ theme: value }),
          })),
          'line',
          { title: 'Keyboard shortcuts', hint: '?', run: () => runCommand('shortcuts') },
          { title: 'What is simulated', run: () => runCommand('about') },
        ]}
      />
    </header>
  )
}
