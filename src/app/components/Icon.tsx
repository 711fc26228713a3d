/** 16 by 16, with strokes of 1.5. */

const PATHS = {
  add: 'M8 3.2v9.6M3.2 8h9.6',
  branch:
    'M4.6 2.4a1.7 1.7 0 1 0 .01 0M4.6 10.2a1.7 1.7 0 1 0 .01 0M11.4 3.6a1.7 1.7 0 1 0 .01 0M4.6 5.8v4.4M11.4 7c0 2.4-4.6 1.4-6.4 3.4',
  check: 'm3.2 8.4 3.2 3.2 6.4-7',
  chevron: 'm6 3.8 4.2 4.2L6 12.2',
  circle: 'M8 3.2a4.8 4.8 0 1 0 .01 0',
  cut: 'M4.6 10a1.8 1.8 0 1 0 .01 0M11.4 10a1.8 1.8 0 1 0 .01 0M5.6 10.4 11 2.6M10.4 10.4 5 2.6',
  close: 'm4 4 8 8m0-8-8 8',
  code: 'm5.6 4.6-3.4 3.4 3.4 3.4m4.8-6.8 3.4 3.4-3.4 3.4',
  columns: 'M2.5 3h11v10h-11zM8 3v10',
  console: 'M2.5 3.5h11v9h-11zM5 6.3 7 8l-2 1.7M8.6 10h2.6',
  copy: 'M5.5 5.5h7.3v7.3H5.5zM3.2 10.2V3.2h7',
  down: 'm4 6.2 4 4 4-4',
  download: 'M8 2.8V10m0 0 2.6-2.5M8 10 5.4 7.5M3.2 9v4.2h9.6V9',
  edit: 'M10.8 3 13 5.2 5.4 12.8l-2.7.5.5-2.7zM9.4 4.4l2.2 2.2',
  eye: 'M1.8 8s2.3-4 6.2-4 6.2 4 6.2 4-2.3 4-6.2 4-6.2-4-6.2-4ZM8 6.2a1.8 1.8 0 1 0 .01 0',
  file: 'M4 2.5h5l3 3v8H4zM8.8 2.7v3h3',
  filter: 'M2.8 4h10.4M4.8 8h6.4M6.6 12h2.8',
  grid: 'M2.8 2.8h4v4h-4zM9.2 2.8h4v4h-4zM2.8 9.2h4v4h-4zM9.2 9.2h4v4h-4z',
  hide: 'M3.4 8h9.2',
  larger: 'M9.4 2.8h3.8v3.8M13 3 9 7M6.6 13.2H2.8V9.4M3 13l4-4',
  key: 'M5.4 7.4a3 3 0 1 0 .01 0M7.6 8.4l5.6-5.6M10.6 5.4l2 2',
  learn: 'M8 3.2 14.4 6 8 8.8 1.6 6zM4.2 7.4v3.2c1 1.2 2.3 1.8 3.8 1.8s2.8-.6 3.8-1.8V7.4',
  layers: 'M8 2.6 14 6 8 9.4 2 6zM2.4 9.2 8 12.4l5.6-3.2',
  more: 'M3 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0M7.6 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0M12.2 8a.4.4 0 1 0 .8 0 .4.4 0 1 0-.8 0',
  object: 'M8 2.2 13 5v6L8 13.8 3 11V5zM3.2 5.1 8 7.9l4.8-2.8M8 7.9v5.7',
  pause: 'M5.5 3.6v8.8M10.5 3.6v8.8',
  people:
    'M5.6 3.4a2.2 2.2 0 1 0 .01 0M1.6 12.8c.3-2.4 1.9-3.7 4-3.7s3.7 1.3 4 3.7M10.8 3.8a1.9 1.9 0 0 1 0 3.7M11.6 9.4c1.6.3 2.6 1.5 2.8 3.4',
  play: 'M5 3.3v9.4L12.6 8z',
  plug: 'M5.5 2.2v3M10.5 2.2v3M3.8 5.2h8.4v2.6a4.2 4.2 0 0 1-8.4 0zM8 12v2',
  pulse: 'M1.8 8.4h2.8l1.7-4.6 3.2 8.4 1.7-3.8h3',
  requests: 'M2.5 5.2h10m0 0-2.6-2.5m2.6 2.5L9.9 7.7M13.5 10.8h-10m0 0 2.6-2.5m-2.6 2.5 2.6 2.5',
  scales: 'M8 2.6v10.8M4.8 13.4h6.4M3 4.6l5-1.2 5 1.2M3 4.8 1.4 9.2h3.2zM13 4.8l-1.6 4.4h3.2z',
  search: 'M7 2.8a4.2 4.2 0 1 0 .01 0M10.2 10.2l3 3',
  share: 'M8 10V2.8m0 0L5.4 5.3M8 2.8l2.6 2.5M3.2 9v4.2h9.6V9',
  smaller: 'M13.2 6.6H9.4V2.8M9.6 6.4 13.4 2.6M2.8 9.4h3.8v3.8M6.4 9.6l-3.8 3.8',
  stop: 'M4.4 4.4h7.2v7.2H4.4z',
  trash: 'M3 4.6h10M6.3 4.4V2.8h3.4v1.6M4.4 4.8l.6 8.4h6l.6-8.4M6.9 7v3.8M9.1 7v3.8',
  tree: 'M3.2 3.2h4v3h-4zM8.8 9.8h4v3h-4zM5.2 6.4v4.9h3.4',
  user: 'M8 2.6a2.6 2.6 0 1 0 .01 0M3.2 13.4c.4-2.7 2.3-4.2 4.8-4.2s4.4 1.5 4.8 4.2',
  warning: 'M8 2.6 14 13H2zM8 6.4v3.2M8 11.3v.01',
} as const

export type IconName = keyof typeof PATHS

export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg className="icon" width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  )
}

/** The logo: a K whose arms are two arrows meeting at the stem. */
export function Mark({ size = 20 }: { size?: number }) {
  return (
    <svg className="mark" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
      <path
        className="mark-ground"
        d="M4.6 1.5h10.8a3.1 3.1 0 0 1 3.1 3.1v10.8a3.1 3.1 0 0 1-3.1 3.1H4.6a3.1 3.1 0 0 1-3.1-3.1V4.6a3.1 3.1 0 0 1 3.1-3.1Z"
      />
      <path className="mark-line" d="M6.6 5.2v9.6M13.6 5.2 6.8 10.6M9.6 8.5l4.2 6.3" />
    </svg>
  )
}
