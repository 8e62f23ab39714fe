/** In Bun, `fetch` is a function that has others, so that no function of ours is a `typeof fetch`. */
declare namespace fetch {
  export function preconnect(url: string): void;
}
