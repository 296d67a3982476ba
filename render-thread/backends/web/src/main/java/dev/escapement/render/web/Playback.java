package dev.escapement.render.web;

import dev.escapement.render.tools.History;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.Timeline;

/** Answers requests for pictures of the past. One thread. Each round does a bounded amount of work for each client. */
final class Playback {

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

    Playback(History history, PictureEncoder encoder) {
        this.history = history;
        this.encoder = encoder;
    }

    void serve(Client client, Timeline timeline) {
        while (!client.requests.isEmpty() && client.takes(PictureEncoder.Kind.HISTORY) && client.hasRoom()) {
            next(client, client.requests.element(), timeline);
        }
    }

    private void next(Client client, Request request, Timeline timeline) {
        while (request.done < request.asked.count()) {
            long tick = request.asked.from() + request.done++;
            if (history.read(tick, past)) {
                request.sent++;
                PictureEncoder.Picture picture = encoder.past(past, timeline);
                client.send(PictureEncoder.Kind.HISTORY, picture);
                picture.giveBack();
                return;
            }
        }
        client.requests.remove();
        client.report(new PageMessage.HistoryEnd(request.asked.from(), request.asked.count(), request.sent));
    }
}
