package dev.escapement.render.web;

import dev.escapement.state.service.History;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;

/** Answers what pages ask of the past: pictures of ticks, and the path of a body. One thread. Each round does a little of it. */
final class Playback {

    private static final int READS_PER_ROUND = 8;
    private static final int MOST_POINTS = 300;

    /** A path that is put together, tick by tick. */
    static final class Path {
        private final long body;
        private final long lastTick;
        private final long stride;
        private final StringBuilder points = new StringBuilder();
        private long nextTick;

        private Path(long body, long firstTick, long lastTick) {
            this.body = body;
            this.lastTick = lastTick;
            stride = Math.max(1, (lastTick - firstTick) / MOST_POINTS);
            nextTick = firstTick;
        }
    }

    private final History history;
    private final PictureEncoder encoder;
    private final SentBodies nothing = new SentBodies();
    private final Snapshot past = new Snapshot(0, PoseLayout.PLAIN);
    private int readsLeft;

    Playback(History history, PictureEncoder encoder) {
        this.history = history;
        this.encoder = encoder;
    }

    void startRound() {
        readsLeft = READS_PER_ROUND;
    }

    /** Begins the path of a body, up to now. Takes the place of another one. */
    void path(Client client, long body) {
        client.path = new Path(body, history.oldestTick(), history.newestTick());
    }

    /** Sends pictures of the past while they leave, and goes on with the path. Returns the bytes sent. */
    long serve(Client client, Snapshot newest, Timeline timeline, long nowNanos) {
        long bytes = 0;
        while (!client.requests.isEmpty() && client.takesPast() && client.hasRoom()) {
            bytes += next(client, client.requests.element(), timeline, nowNanos);
        }
        Path path = client.path;
        if (path != null && client.hasRoom()) {
            while (readsLeft > 0 && path.nextTick <= path.lastTick) {
                readsLeft--;
                addPoint(path, newest);
            }
            if (path.nextTick > path.lastTick) {
                client.path = null;
                client.text("{\"type\":\"path\",\"slot\":" + BodyId.slot(path.body) + ",\"generation\":"
                        + BodyId.generation(path.body) + ",\"points\":[" + path.points + "]}");
            }
        }
        return bytes;
    }

    private long next(Client client, Request request, Timeline timeline, long nowNanos) {
        while (request.done < request.count) {
            if (history.read(request.from + request.done++, past)) {
                request.sent++;
                nothing.forget();
                return client.picture(
                        PictureEncoder.Kind.HISTORY,
                        encoder.encode(
                                PictureEncoder.Kind.HISTORY,
                                0,
                                past,
                                timeline,
                                nowNanos,
                                nothing,
                                client.buffer(PictureEncoder.Kind.HISTORY)));
            }
        }
        client.requests.remove();
        client.text("{\"type\":\"historyEnd\",\"from\":" + request.from + ",\"count\":" + request.count + ",\"sent\":"
                + request.sent + "}");
        return 0;
    }

    /** A request for pictures, and how far it is answered. */
    static final class Request {
        private final long from;
        private final int count;
        private int done;
        private int sent;

        Request(ClientMessage.Past message) {
            from = message.from();
            count = message.count();
        }
    }

    /** Measured from where the newest positions are. */
    private void addPoint(Path path, Snapshot newest) {
        long tick = path.nextTick;
        path.nextTick = tick == path.lastTick ? tick + 1 : Math.min(path.lastTick, tick + path.stride);
        if (!history.read(tick, past) || !past.bodies().exists(path.body)) {
            return;
        }
        int slot = BodyId.slot(path.body);
        PoseBlock block = past.poses().blockOf(slot);
        int i = slot & PoseBlock.MASK;
        path.points.append(path.points.isEmpty() ? "[" : ",[").append(tick);
        path.points.append(',').append((float) (block.px[i] + past.originX() - newest.originX()));
        path.points.append(',').append((float) (block.py[i] + past.originY() - newest.originY()));
        path.points.append(',').append((float) (block.pz[i] + past.originZ() - newest.originZ()));
        path.points.append(']');
    }
}
