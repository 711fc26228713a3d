/** What happens: results of the last run, requests, watches, the script's console. */
import { useRequests } from '../state/requests'
import { useResults } from '../state/results'
import { type ActivityTab, useView } from '../state/view'
import { useWatches } from '../state/watches'
import { Console } from './Console'
import { Requests } from './Requests'
import { Results } from './Results'
import { Watches } from './Watches'

export function Activity() {
  const activity = useView((state) => state.activity)
  const set = useView((state) => state.set)
  const counts: Record<ActivityTab, number> = {
    results: useResults((state) => state.results.length),
    requests: useRequests((state) => state.log.filter(({ origin }) => origin !== 'page').length),
    watches: useWatches((state) => state.watches.length),
    console: 0,
  }
  return (
    <section className="panel" aria-label="Activity">
      <div className="bar">
        <div className="tabs" role="tablist" aria-label="Activity">
          {(['results', 'requests', 'watches', 'console'] as const).map((tab) => (
            <button
              key={tab}
              type="button"
              role="tab"
              className="tab"
              aria-selected={activity === tab}
              onClick={() => set({ activity: tab })}
            >
              {tab[0]?.toUpperCase() + tab.slice(1)} {counts[tab] > 0 && <span className="count">{counts[tab]}</span>}
            </button>
          ))}
        </div>
        <span className="grow" />
        {activity === 'watches' && (
          <button type="button" className="button" onClick={() => set({ dialog: 'watch' })}>
            Start a watch
          </button>
        )}
      </div>
      {activity === 'results' && <Results />}
      {activity === 'requests' && <Requests />}
      {activity === 'watches' && <Watches />}
      {activity === 'console' && <Console />}
    </section>
  )
}
