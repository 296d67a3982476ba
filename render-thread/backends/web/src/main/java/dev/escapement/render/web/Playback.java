package dev.escapement.render.web;

import dev.escapement.render.tools.History;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.Timeline;
import java.util.ArrayList;
import java.util.List;

/** Answers requests for the past: pictures of ticks, and the path of a body. One thread. Each round does a bounded part for each client. */
final class Playback {

    private static final int READS_PER_ROUND = 8;
    private static final int MAX_POINTS = 300;

    /** A path that is collected tick by tick. */
    static final class Path {
        private final long body;
        private final long lastTick;
        private final long stride;
        private final List<Number[]> points = new ArrayList<>();
        private long nextTick;

        private Path(long body, long firstTick, long lastTick) {
            this.body = body;
            this.lastTick = lastTick;
            stride = Math.max(1, (lastTick - firstTick) / MAX_POINTS);
            nextTick = firstTick;
        }
    }

    /** A request for pictures, and how many of them were sent. */
    static final class Request {
        private final ClientMessage.Past asked;
        private int done;
        private int sent;

        Request(ClientMessage.Past asked) {
            this.asked = asked;
        }
    }

    private final History history;
    private final PictureEncoder encoder;
    private final WritableSnapshot past = new WritableSnapshot(0, PoseLayout.PLAIN);
    private final WritableSnapshot before = new WritableSnapshot(0, PoseLayout.PLAIN);

    Playback(History history, PictureEncoder encoder) {
        this.history = history;
        this.encoder = encoder;
    }

    /** Begins the path of a body, up to now. Replaces an unfinished one. */
    void path(Client client, long body) {
        client.path = new Path(body, history.oldestTick(), history.newestTick());
    }

    /** Sends pictures of the past while there is room, and continues the path. Returns the bytes of the pictures. */
    long serve(Client client, Window window) {
        long bytes = 0;
        while (!client.requests.isEmpty() && client.takes(PictureEncoder.Kind.HISTORY) && client.hasRoom()) {
            bytes += next(client, client.requests.element(), window.timeline());
        }
        Path path = client.path;
        if (path != null && client.hasRoom()) {
            for (int reads = 0; reads < READS_PER_ROUND && path.nextTick <= path.lastTick; reads++) {
                addPoint(path, window.newest());
            }
            if (path.nextTick > path.lastTick) {
                client.path = null;
                client.report(new PageMessage.Path(
                        BodyId.slot(path.body), BodyId.generation(path.body), List.copyOf(path.points)));
            }
        }
        return bytes;
    }

    private long next(Client client, Request request, Timeline timeline) {
        while (request.done < request.asked.count()) {
            long tick = request.asked.from() + request.done++;
            if (history.read(tick, past)) {
                request.sent++;
                Snapshot earlier = history.read(tick - 1, before) ? before : past;
                PictureEncoder.Picture picture = encoder.past(past, earlier, timeline);
                long bytes = client.send(PictureEncoder.Kind.HISTORY, picture);
                picture.giveBack();
                return bytes;
            }
        }
        client.requests.remove();
        client.report(new PageMessage.HistoryEnd(request.asked.from(), request.asked.count(), request.sent));
        return 0;
    }

    /** Measured from where the newest positions are. */
    private void addPoint(Path path, Snapshot newest) {
        long tick = path.nextTick;
        path.nextTick = tick == path.lastTick ? tick + 1 : Math.min(path.lastTick, tick + path.stride);
        if (history.read(tick, past) && past.bodies().exists(path.body)) {
            PoseBlock block = past.poses().blockOf(BodyId.slot(path.body));
            int i = BodyId.slot(path.body) & PoseBlock.MASK;
            path.points.add(new Number[] {
                tick,
                (float) (block.px[i] + past.originX() - newest.originX()),
                (float) (block.py[i] + past.originY() - newest.originY()),
                (float) (block.pz[i] + past.originZ() - newest.originZ())
            });
        }
    }
}
