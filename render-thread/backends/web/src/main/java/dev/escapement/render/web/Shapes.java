package dev.escapement.render.web;

import dev.escapement.state.service.BodyShape;
import dev.escapement.state.service.BodyShape.Box;
import dev.escapement.state.service.BodyShape.Capsule;
import dev.escapement.state.service.BodyShape.Sphere;
import dev.escapement.state.service.TriangleMesh;
import dev.escapement.state.service.WorldControl;
import dev.escapement.state.snapshot.BodyBlock;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What the bodies look like: asked of the world once for each body, a few at a time, and told to each page once.
 *
 * <p>One thread. Only used while a page is open, so that nothing is asked while nobody watches.
 */
final class Shapes {

    /** How many bodies one query asks for, which runs between two ticks. */
    static final int BODIES_PER_QUERY = 64;

    /** What all pages have told a page in one message at most. */
    private static final int BODIES_PER_MESSAGE = 4096;

    private static final int CHARACTERS_PER_MESSAGE = 1 << 18;

    /** Bounds of what is kept: a game may make a new mesh for each body. Bodies beyond it are shown as boxes. */
    private static final int MOST_FORMS = 4096;

    private static final long MOST_CHARACTERS = 64 << 20;

    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final int ALL_TOLD = Integer.MAX_VALUE;

    // What is known of the body in a slot, instead of the number of its form.
    private static final int UNKNOWN = -1;
    private static final int ASKED = -2;
    private static final int NONE = -3;

    private final WorldControl world;
    private final Map<BodyShape.Form, Integer> numbers = new HashMap<>();
    private final List<String> forms = new ArrayList<>();
    private long characters;

    private long[] versions = {};
    private int[] generation = {};
    private int[] form = {};
    private boolean[] kinematic = {};
    private int unknown;

    private final List<Long> asked = new ArrayList<>();
    private @Nullable CompletableFuture<List<@Nullable BodyShape>> answer;
    private long retryNanos;

    Shapes(WorldControl world, long nowNanos) {
        this.world = world;
        retryNanos = nowNanos;
    }

    /** Asks for shapes, and tells pages what is known. */
    void round(Snapshot newest, List<Client> clients, long nowNanos) {
        look(newest);
        if (answer != null && answer.isDone()) {
            take(answer, clients, nowNanos);
        }
        if (answer == null && unknown > 0 && nowNanos - retryNanos >= 0) {
            ask(nowNanos);
        }
        for (Client client : clients) {
            tellAll(client);
        }
    }

    /** Notes bodies that came, in blocks where any did. */
    private void look(Snapshot newest) {
        reserve(newest.poses().blockCount());
        for (int b = 0; b < newest.poses().blockCount(); b++) {
            BodyBlock bodies = newest.bodyBlock(b);
            if (versions[b] == bodies.changedTick()) {
                continue;
            }
            versions[b] = bodies.changedTick();
            int slots = newest.poses().slotsIn(b);
            for (int i = 0; i < slots; i++) {
                int slot = (b << PoseBlock.SHIFT) | i;
                if (generation[slot] != bodies.generation[i]) {
                    unknown -= isUnknown(slot) ? 1 : 0;
                    generation[slot] = bodies.generation[i];
                    form[slot] = UNKNOWN;
                    unknown += isUnknown(slot) ? 1 : 0;
                }
            }
        }
    }

    private boolean isUnknown(int slot) {
        return BodyId.isLive(generation[slot]) && form[slot] == UNKNOWN;
    }

    private void reserve(int blocks) {
        int known = versions.length;
        if (blocks > known) {
            versions = Arrays.copyOf(versions, blocks);
            Arrays.fill(versions, known, blocks, SentBodies.UNKNOWN);
            int slots = blocks << PoseBlock.SHIFT;
            generation = Arrays.copyOf(generation, slots);
            form = Arrays.copyOf(form, slots);
            kinematic = Arrays.copyOf(kinematic, slots);
        }
    }

    private void ask(long nowNanos) {
        asked.clear();
        for (int slot = 0; slot < form.length && asked.size() < BODIES_PER_QUERY; slot++) {
            if (isUnknown(slot)) {
                asked.add(BodyId.of(slot, generation[slot]));
                form[slot] = ASKED;
                unknown--;
            }
        }
        try {
            answer = world.shapes(List.copyOf(asked));
        } catch (RuntimeException refused) {
            askAgain(nowNanos);
        }
    }

    private void askAgain(long nowNanos) {
        retryNanos = nowNanos + RETRY_NANOS;
        for (long body : asked) {
            if (isAsked(body)) {
                form[BodyId.slot(body)] = UNKNOWN;
                unknown++;
            }
        }
    }

    private boolean isAsked(long body) {
        int slot = BodyId.slot(body);
        return generation[slot] == BodyId.generation(body) && form[slot] == ASKED;
    }

    private void take(CompletableFuture<List<@Nullable BodyShape>> done, List<Client> clients, long nowNanos) {
        answer = null;
        List<@Nullable BodyShape> shapes;
        try {
            shapes = done.join();
        } catch (RuntimeException notNow) {
            askAgain(nowNanos); // the queue was full, or ticking has ended and may be restarted
            return;
        }
        Message message = new Message();
        int first = ALL_TOLD;
        for (int i = 0; i < asked.size(); i++) {
            long body = asked.get(i);
            if (isAsked(body)) {
                BodyShape shape = i < shapes.size() ? shapes.get(i) : null;
                int slot = BodyId.slot(body);
                form[slot] = shape == null ? NONE : number(shape.form());
                kinematic[slot] = shape != null && shape.kinematic();
                if (form[slot] >= 0) {
                    message.body(slot);
                    first = Math.min(first, slot);
                }
            }
        }
        for (Client client : clients) {
            if (client.shapesFrom == ALL_TOLD && first < ALL_TOLD && tellForms(client)) {
                client.text(message.end());
            } else {
                client.shapesFrom = Math.min(client.shapesFrom, first);
            }
        }
    }

    /** The number of a form, the same for equal ones; {@link #NONE} if it cannot be shown, or there are too many. */
    private int number(BodyShape.Form shape) {
        Integer known = numbers.get(shape);
        if (known != null) {
            return known;
        }
        String json = json(forms.size(), shape);
        if (json == null || forms.size() == MOST_FORMS || characters + json.length() > MOST_CHARACTERS) {
            return NONE;
        }
        characters += json.length();
        forms.add(json);
        numbers.put(shape, forms.size() - 1);
        return forms.size() - 1;
    }

    private static @Nullable String json(int number, BodyShape.Form shape) {
        StringBuilder out = new StringBuilder("{\"id\":").append(number);
        boolean finite;
        if (shape instanceof Box box) {
            finite = floats(out, ",\"form\":\"box\",\"half\":[", box.halfX(), box.halfY(), box.halfZ());
            out.append(']');
        } else if (shape instanceof Sphere sphere) {
            finite = floats(out, ",\"form\":\"sphere\",\"radius\":", sphere.radius());
        } else if (shape instanceof Capsule capsule) {
            finite = floats(out, ",\"form\":\"capsule\",\"radius\":", capsule.radius())
                    && floats(out, ",\"halfHeight\":", capsule.halfHeight());
        } else {
            finite = floats(out, ",\"form\":\"mesh\",\"corners\":[", ((TriangleMesh) shape).corners());
            out.append(']');
        }
        return finite ? out.append('}').toString() : null;
    }

    private static boolean floats(StringBuilder out, String before, float... values) {
        out.append(before);
        boolean finite = true;
        for (int i = 0; i < values.length; i++) {
            out.append(i == 0 ? "" : ",").append(values[i]);
            finite &= Float.isFinite(values[i]);
        }
        return finite;
    }

    /** Tells a page of the forms it does not know. False if some are left for later. */
    private boolean tellForms(Client client) {
        while (client.formsSent < forms.size() && client.hasRoom()) {
            StringBuilder out = new StringBuilder("{\"type\":\"shapes\",\"forms\":[");
            int first = client.formsSent;
            do {
                out.append(client.formsSent == first ? "" : ",").append(forms.get(client.formsSent++));
            } while (client.formsSent < forms.size() && out.length() < CHARACTERS_PER_MESSAGE);
            client.text(out.append("],\"bodies\":[]}").toString());
        }
        return client.formsSent == forms.size() && client.hasRoom();
    }

    private void tellAll(Client client) {
        while (client.shapesFrom < ALL_TOLD && tellForms(client)) {
            Message message = new Message();
            int slot = client.shapesFrom;
            while (slot < form.length && message.bodies < BODIES_PER_MESSAGE) {
                if (BodyId.isLive(generation[slot]) && form[slot] >= 0) {
                    message.body(slot);
                }
                slot++;
            }
            client.shapesFrom = slot == form.length ? ALL_TOLD : slot;
            if (message.bodies > 0) {
                client.text(message.end());
            }
        }
    }

    /** A message about bodies whose forms the page knows. */
    private final class Message {
        private final StringBuilder out = new StringBuilder("{\"type\":\"shapes\",\"forms\":[],\"bodies\":[");
        private int bodies;
        private @Nullable String ended;

        void body(int slot) {
            out.append(bodies++ == 0 ? "[" : ",[").append(slot).append(',').append(generation[slot]);
            out.append(',').append(form[slot]).append(kinematic[slot] ? ",1]" : ",0]");
        }

        String end() {
            if (ended == null) {
                ended = out.append("]}").toString();
            }
            return ended;
        }
    }
}
