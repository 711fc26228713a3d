/** Brand, release, search, actor, share. */
import { commands, keysText } from '../commands'
import { Menu } from '../components/Menu'
import { ACTORS, useActors } from '../state/actors'
import { useConnection } from '../state/connection'
import { type Theme, useView } from '../state/view'

export function TopBar() {
  const set = useView((state) => state.set)
  const ready = useConnection((state) => state.connection !== undefined)
  const run = (id: string) => () =>
    commands()
      .find((command) => command.id === id)
      ?.run()
  return (
    <header className="topbar">
      <button type="button" className="brand" onClick={() => set({ dialog: 'about' })} aria-label="kubetab: what is simulated here">
        <i aria-hidden="true" />
        kubetab
      </button>
      <button
        type="button"
        className="chip wide-only"
        style={{ border: 0, cursor: 'pointer' }}
        onClick={() => set({ dialog: 'about' })}
        title="What is simulated, and what is not"
      >
        Kubernetes 1.31
      </button>
      <span className="grow" />
      <button type="button" className="button soft wide-only" onClick={() => set({ dialog: 'palette' })}>
        Search or run a command <kbd>{keysText('Mod+K')}</kbd>
      </button>
      <ActorMenu ready={ready} />
      <Menu
        label="More"
        className="button icon"
        items={[
          { title: 'Search or run a command', hint: keysText('Mod+K'), run: run('palette') },
          'line',
          { title: 'Export the cluster', hint: 'YAML', run: run('export') },
          { title: 'Import a cluster', run: run('import') },
          { title: 'Reset the cluster', run: run('reset') },
          'line',
          ...(['system', 'light', 'dark'] as Theme[]).map((theme) => ({ title: `Theme: ${theme}`, run: () => set({ theme }) })),
          'line',
          { title: 'Keyboard shortcuts', hint: '?', run: run('shortcuts') },
          { title: 'What is simulated', run: run('about') },
        ]}
      >
        ⋯
      </Menu>
      <button type="button" className="button primary wide-only" onClick={() => set({ dialog: 'share' })}>
        Share
      </button>
    </header>
  )
}

function ActorMenu({ ready }: { ready: boolean }) {
  const { actor, actAs, fieldManager, setFieldManager } = useActors()
  return (
    <Menu
      label={`Acting as ${actor.name}`}
      items={[
        ...ACTORS.map(({ name, groups }) => ({
          title: name === actor.name ? `✓ ${name}` : name,
          hint: groups.join(', ') || 'no groups',
          run: () => actAs(name),
        })),
        'line',
        {
          title: 'Field manager …',
          hint: fieldManager || 'by client',
          run: () => {
            const name = prompt('Name under which your writes own fields (empty: the server derives it from the client)', fieldManager)
            if (name !== null) setFieldManager(name.trim())
          },
        },
      ]}
    >
      <span aria-hidden="true" style={{ width: 8, height: 8, borderRadius: '50%', background: ready ? 'var(--good)' : 'var(--warn)' }} />
      <strong style={{ fontWeight: 600 }}>{actor.name}</strong>
      <span className="soft desktop-only">{actor.groups[0] ?? ''}</span>
      <span aria-hidden="true">▾</span>
    </Menu>
  )
}
