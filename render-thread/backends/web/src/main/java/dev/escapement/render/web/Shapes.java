package dev.escapement.render.web;

import com.google.gson.Gson;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
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

    /** How many bodies one query asks for, which runs between two ticks: 0.6 to 1 us each in Jolt. */
    static final int BODIES_PER_QUERY = 256;

    /** How much one message tells. */
    private static final int BODIES_PER_MESSAGE = 4096;

    private static final int CHARACTERS_PER_MESSAGE = 1 << 18;

    /** Bounds of what is kept: a game may make a new mesh for each body. Bodies beyond it are shown as boxes. */
    private static final int MOST_FORMS = 4096;

    private static final int MOST_CHARACTERS = 64 << 20;

    private static final Gson GSON = new Gson();
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What a page was told: which forms, and which answers, of which one may be told up to a slot. */
    static final class Told {
        private int forms;
        private int answers;
        private int slot;
        private int answersMeanwhile;
    }

    /** A form as the protocol has it: what it does not need is null, and left out. */
    private record Shown(
            int id,
            String form,
            @Nullable Object half,
            @Nullable Float radius,
            @Nullable Float halfHeight,
            @Nullable Object corners) {}

    private final WorldControl world;
    private final int mostForms;
    private final int mostCharacters;
    private final Map<BodyShape.Form, Integer> numbers = new HashMap<>();
    private final List<String> forms = new ArrayList<>();
    private int characters;

    // Of the bodies in the slots: which answer told of them, 0 if none has; the number of their form.
    private long[] versions = {};
    private int[] generation = {};
    private int[] answered = {};
    private int[] form = {};
    private boolean[] kinematic = {};
    private int answers;

    /** Bodies that are to be asked for, and those that were. */
    private final Deque<Long> unknown = new ArrayDeque<>();

    private final List<Long> asked = new ArrayList<>();
    private @Nullable CompletableFuture<List<@Nullable BodyShape>> answer;
    private long retryNanos;

    Shapes(WorldControl world, long nowNanos) {
        this(world, nowNanos, MOST_FORMS, MOST_CHARACTERS);
    }

    /** With other bounds, for tests. */
    Shapes(WorldControl world, long nowNanos, int mostForms, int mostCharacters) {
        this.world = world;
        this.mostForms = mostForms;
        this.mostCharacters = mostCharacters;
        retryNanos = nowNanos;
    }

    /** Asks for shapes, and tells pages what is known. */
    void round(Snapshot newest, List<Client> clients, long nowNanos) {
        look(newest);
        if (answer != null && answer.isDone()) {
            take(answer, nowNanos);
        }
        if (answer == null && !unknown.isEmpty() && nowNanos - retryNanos >= 0) {
            ask(nowNanos);
        }
        clients.forEach(this::tell);
    }

    /** Notes bodies that came, in blocks where any did. */
    private void look(Snapshot newest) {
        reserve(newest.poses().blockCount());
        for (int b = 0; b < newest.poses().blockCount(); b++) {
            BodyBlock bodies = newest.bodyBlock(b);
            boolean changed = versions[b] != bodies.changedTick();
            versions[b] = bodies.changedTick();
            for (int i = 0; changed && i < newest.poses().slotsIn(b); i++) {
                int slot = (b << PoseBlock.SHIFT) | i;
                if (generation[slot] != bodies.generation[i]) {
                    generation[slot] = bodies.generation[i];
                    answered[slot] = 0;
                    if (BodyId.isLive(generation[slot])) {
                        unknown.add(BodyId.of(slot, generation[slot]));
                    }
                }
            }
        }
    }

    private void reserve(int blocks) {
        int known = versions.length;
        if (blocks > known) {
            versions = Arrays.copyOf(versions, blocks);
            Arrays.fill(versions, known, blocks, Quantised.UNKNOWN);
            int slots = blocks << PoseBlock.SHIFT;
            generation = Arrays.copyOf(generation, slots);
            answered = Arrays.copyOf(answered, slots);
            form = Arrays.copyOf(form, slots);
            kinematic = Arrays.copyOf(kinematic, slots);
        }
    }

    private boolean exists(long body) {
        return generation[BodyId.slot(body)] == BodyId.generation(body);
    }

    private void ask(long nowNanos) {
        asked.clear();
        while (!unknown.isEmpty() && asked.size() < BODIES_PER_QUERY) {
            long body = unknown.remove();
            if (exists(body)) {
                asked.add(body);
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
        unknown.addAll(asked);
    }

    private void take(CompletableFuture<List<@Nullable BodyShape>> done, long nowNanos) {
        answer = null;
        List<@Nullable BodyShape> shapes;
        try {
            shapes = done.join();
        } catch (RuntimeException notNow) {
            askAgain(nowNanos); // the queue was full, or ticking has ended
            return;
        }
        answers++;
        for (int i = 0; i < Math.min(asked.size(), shapes.size()); i++) {
            int slot = BodyId.slot(asked.get(i));
            BodyShape shape = shapes.get(i);
            Integer number = shape == null || !exists(asked.get(i)) ? null : number(shape.form());
            if (shape != null && number != null) {
                form[slot] = number;
                kinematic[slot] = shape.kinematic();
                answered[slot] = answers;
            }
        }
    }

    /** The number of a form, the same for equal ones; null if it cannot be shown, or there are too many. */
    private @Nullable Integer number(BodyShape.Form shape) {
        Integer known = numbers.get(shape);
        if (known != null || forms.size() == mostForms) {
            return known;
        }
        String json;
        try {
            json = json(forms.size(), shape);
        } catch (IllegalArgumentException notFinite) {
            return null;
        }
        if (json.length() > mostCharacters - characters) {
            return null;
        }
        characters += json.length();
        forms.add(json);
        numbers.put(shape, forms.size() - 1);
        return forms.size() - 1;
    }

    private static String json(int id, BodyShape.Form shape) {
        Shown shown;
        if (shape instanceof Box box) {
            float[] half = {box.halfX(), box.halfY(), box.halfZ()};
            shown = new Shown(id, "box", half, null, null, null);
        } else if (shape instanceof Sphere sphere) {
            shown = new Shown(id, "sphere", null, sphere.radius(), null, null);
        } else if (shape instanceof Capsule capsule) {
            shown = new Shown(id, "capsule", null, capsule.radius(), capsule.halfHeight(), null);
        } else {
            shown = new Shown(id, "mesh", null, null, null, ((TriangleMesh) shape).corners());
        }
        return GSON.toJson(shown);
    }

    /** Tells a page of the forms it does not know, and then of the bodies that have them, while there is room. */
    private void tell(Client client) {
        Told told = client.shapes;
        while (told.answers < answers && client.hasRoom()) {
            List<String> newForms = new ArrayList<>();
            List<int[]> bodies = new ArrayList<>();
            int length = 0;
            while (told.forms < forms.size() && length < CHARACTERS_PER_MESSAGE) {
                length += forms.get(told.forms).length();
                newForms.add(forms.get(told.forms++));
            }
            if (told.forms == forms.size()) {
                tellBodies(told, bodies);
            }
            if (!newForms.isEmpty() || !bodies.isEmpty()) {
                client.text("{\"type\":\"shapes\",\"forms\":[" + String.join(",", newForms) + "],\"bodies\":"
                        + GSON.toJson(bodies) + "}");
            }
        }
    }

    private void tellBodies(Told told, List<int[]> bodies) {
        if (told.slot == 0) {
            told.answersMeanwhile = answers;
        }
        while (told.slot < form.length && bodies.size() < BODIES_PER_MESSAGE) {
            int slot = told.slot++;
            if (answered[slot] > told.answers) {
                bodies.add(new int[] {slot, generation[slot], form[slot], kinematic[slot] ? 1 : 0});
            }
        }
        if (told.slot == form.length) {
            told.slot = 0;
            told.answers = told.answersMeanwhile;
        }
    }
}
