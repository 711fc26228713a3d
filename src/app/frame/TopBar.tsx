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
import * as texts from './texts'

const THEMES: Theme[] = ['system', 'light', 'dark']

export function TopBar() {
  const theme = useView((state) => state.theme)
  return (
    <header className="topbar">
      <h1 className="brand-heading">
        <button
          type="button"
          className="brand"
          aria-label={texts.brand}
          onClick={() => runCommand('about')}
          title={texts.about}
        >
          <Mark />
          <span className="brand-word">{texts.brand}</span>
        </button>
      </h1>
      <PlaceMenu />
      <ReleaseButton />
      {WORKSPACE !== FIRST_WORKSPACE && (
        <button
          type="button"
          className="chip-button desktop-only"
          onClick={() => runCommand('workspaces')}
          title={texts.otherWorkspace}
        >
          {titleOf(WORKSPACE)}
        </button>
      )}
      <button
        type="button"
        className="search-button"
        aria-label={texts.search}
        onClick={() => runCommand('palette')}
      >
        <Icon name="search" />
        <span className="wide-only">{texts.search}</span>
        <Keys keys="Mod+K" />
      </button>
      <ActorSwitcher />
      <button type="button" className="button wide-only" onClick={() => runCommand('share')}>
        <Icon name="share" size={14} /> {texts.share}
      </button>
      <Menu
        label={texts.more}
        className="button quiet icon-only"
        face={<Icon name="more" />}
        items={[
          {
            title: texts.workspaces,
            hint: titleOf(WORKSPACE),
            icon: 'layers',
            run: () => runCommand('workspaces'),
          },
          { title: texts.shareLink, icon: 'share', run: () => runCommand('share') },
          {
            title: texts.exportCluster,
            hint: texts.yaml,
            icon: 'file',
            run: () => runCommand('export'),
          },
          {
            title: texts.importCluster,
            hint: texts.yaml,
            icon: 'layers',
            run: () => runCommand('import'),
          },
          {
            title: texts.resetCluster,
            icon: 'trash',
            danger: true,
            run: () => runCommand('reset'),
          },
          { heading: texts.theme },
          ...THEMES.map((value) => ({
            title: texts.themes[value],
            checked: value === theme,
            run: () => useView.getState().set({ theme: value }),
          })),
          'line',
          { title: texts.shortcuts, hint: '?', run: () => runCommand('shortcuts') },
          { title: texts.simulated, run: () => runCommand('about') },
        ]}
      />
    </header>
  )
}
