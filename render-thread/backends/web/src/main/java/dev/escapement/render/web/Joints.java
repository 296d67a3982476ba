package dev.escapement.render.web;

import com.google.gson.Gson;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.world.BodyJoint;
import dev.escapement.state.world.WorldControl;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The joints of bodies. Joints come and go without an event, so the world is queried once a second, and pages get the list when it has
 * changed.
 *
 * <p>One thread. Nothing is queried unless a page is open.
 */
final class Joints {

    /** The maximum of joints. It bounds the query, which takes time between two ticks, and the message. */
    static final int MAX_JOINTS = 1024;

    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final Gson GSON = new Gson();

    private final WorldControl world;
    private @Nullable CompletableFuture<List<BodyJoint>> answer;
    private long nextNanos;

    /** The current list as JSON, which all pages should have. */
    private String known = "[]";

    private long changedTick;

    Joints(WorldControl world, long nowNanos) {
        this.world = world;
        nextNanos = nowNanos;
    }

    /** Takes the world's answer, sends changes to the pages, and queries again a second later. */
    void round(long tick, List<Client> clients, long nowNanos) {
        if (answer != null && answer.isDone()) {
            String ends = ends(answer);
            answer = null;
            if (!ends.equals(known)) {
                known = ends;
                changedTick = tick;
            }
        }
        if (answer == null && nowNanos - nextNanos >= 0) {
            nextNanos = nowNanos + PERIOD_NANOS;
            answer = world.joints(MAX_JOINTS);
        }
        for (Client client : clients) {
            if (client.greeted && !known.equals(client.joints) && client.hasRoom()) {
                client.joints = known;
                client.text("{\"type\":\"joints\",\"tick\":" + changedTick + ",\"list\":" + known + "}");
            }
        }
    }

    private String ends(CompletableFuture<List<BodyJoint>> done) {
        try {
            return GSON.toJson(done.join().stream()
                    .map(joint -> List.of(end(joint.first()), end(joint.second())))
                    .toList());
        } catch (RuntimeException notNow) {
            return known; // the queue was full, ticking has ended, or an anchor is not finite
        }
    }

    private static double[] end(BodyJoint.End end) {
        return new double[] {BodyId.slot(end.body()), BodyId.generation(end.body()), end.x(), end.y(), end.z()};
    }
}
