// The clock of a replay: moves the cursor of a race with the frames of the screen.
import { forget, race } from './store.js';

const players = new Map();

class Player {
  constructor(id, span) {
    Object.assign(this, { id, span, t: span, speed: 20, playing: false, watchers: new Set() });
  }

  play() {
    if (this.playing) return;
    if (this.t >= this.span) this.t = 0;
    this.playing = true;
    let before = performance.now();
    const beat = now => {
      if (!this.playing) return;
      const passed = Math.min((now - before) / 1000, .25);  // no jump after the tab was hidden
      before = now;
      this.move(this.t + this.speed * passed);
      if (this.t >= this.span) this.pause(); else requestAnimationFrame(beat);
    };
    requestAnimationFrame(beat);
    this.tell();
  }

  pause() { this.seek(this.t); }

  // When it stops, the charts show exactly this moment, so that a link can name it.
  seek(seconds) {
    this.playing = false;
    this.move(seconds >= this.span ? this.span : +seconds.toFixed(3));
  }

  move(seconds) {
    this.t = Math.min(Math.max(seconds, 0), this.span);
    race(this.id).seek(this.t, this.span, !this.playing);
    this.tell();
  }

  // One step is a hundredth of the race, but at least half a second.
  step(sign) { this.seek(this.t + sign * Math.max(this.span / 100, .5)); }

  tell() { for (const watcher of this.watchers) watcher(this); }
}

export function player(id, span) {
  if (players.get(id)?.span !== span) players.set(id, new Player(id, span));
  return players.get(id);
}

export const find = id => players.get(id);

// Return to the end of the race, for panels that remain without a player.
export function leave(one) {
  one.playing = false;
  players.delete(one.id);
  race(one.id).seek(one.span, one.span);
  forget(one.id);
}
