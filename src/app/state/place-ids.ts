/** The views of the page, in the order of the rail. `places.ts` has the views. */
export const PLACE_IDS = [
  'workbench',
  'access',
  'cluster',
  'lessons',
  'policy',
  'handlers',
  'releases',
] as const

export type PlaceId = (typeof PLACE_IDS)[number]
