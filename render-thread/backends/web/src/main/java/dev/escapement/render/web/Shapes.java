package dev.escapement.render.web;

import com.google.gson.Gson;
import dev.escapement.render.tools.KnownShapes;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.BodyShape.Box;
import dev.escapement.state.world.BodyShape.Capsule;
import dev.escapement.state.world.BodyShape.Sphere;
import dev.escapement.state.world.BodyShape.TriangleMesh;
import dev.escapement.state.world.WorldControl;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of bodies. The world is queried once for each body, a few at a time, and each page gets each shape once.
 *
 * <p>One thread. Nothing is queried unless a page is open.
 */
final class Shapes {

    private static final int BODIES_PER_MESSAGE = 4096;

    private static final int CHARACTERS_PER_MESSAGE = 1 << 18;

    /** The maximum of forms, because a game may make a new mesh for each body. Bodies with further forms are shown as boxes. */
    private static final int MAX_FORMS = 4096;

    private static final int MAX_CHARACTERS = 64 << 20;

    private static final Gson GSON = new Gson();

    /**
     * The progress of a page: the number of forms and of answers that it was sent, and the slot from which on the next message continues.
     */
    static final class Sent {
        private int forms;
        private int answers;
        private int slot;
        private int answersMeanwhile;
    }

    /** A form of the protocol's {@code shapes} message; JSON leaves null fields out. */
    private record Shown(
            int id,
            String form,
            @Nullable Object half,
            @Nullable Float radius,
            @Nullable Float halfHeight,
            @Nullable Object corners) {}

    private final KnownShapes known;
    private final int maxForms;
    private final int maxCharacters;
    private final Map<BodyShape.Form, Integer> numbers = new HashMap<>();
    private final List<String> forms = new ArrayList<>();
    private int characters;

    // By slot: the number of the world's answer that has described its body, or 0; the number of the body's form.
    private int[] answered = {};
    private int[] form = {};
    private boolean[] kinematic = {};
    private int answers;
    private boolean hasNews;

    Shapes(WorldControl world, long nowNanos) {
        this(world, nowNanos, MAX_FORMS, MAX_CHARACTERS);
    }

    /** Creates the shapes with other bounds, for tests. */
    Shapes(WorldControl world, long nowNanos, int maxForms, int maxCharacters) {
        this.maxForms = maxForms;
        this.maxCharacters = maxCharacters;
        known = new KnownShapes(world, nowNanos, this::take);
    }

    void round(Snapshot newest, List<Client> clients, long nowNanos) {
        known.update(newest, nowNanos);
        if (hasNews) {
            hasNews = false;
            answers++;
        }
        clients.forEach(this::report);
    }

    /** Stores the shape of a body, which pages get as part of the answer that this round reports. */
    private void take(BodyShape shape, int slot) {
        Integer number = number(shape.form());
        if (number == null) {
            return;
        }
        if (slot >= form.length) {
            int slots = Math.max(slot + 1, 2 * form.length);
            answered = Arrays.copyOf(answered, slots);
            form = Arrays.copyOf(form, slots);
            kinematic = Arrays.copyOf(kinematic, slots);
        }
        answered[slot] = answers + 1;
        form[slot] = number;
        kinematic[slot] = shape.kinematic();
        hasNews = true;
    }

    /** Returns the number of a form, the same for equal forms; null if it cannot be shown, or there are too many. */
    private @Nullable Integer number(BodyShape.Form shape) {
        Integer known = numbers.get(shape);
        if (known != null || forms.size() == maxForms) {
            return known;
        }
        String json;
        try {
            json = json(forms.size(), shape);
        } catch (IllegalArgumentException notFinite) {
            return null;
        }
        if (json.length() > maxCharacters - characters) {
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

    /** Sends a page its missing forms, and then the bodies that have them, while there is room. */
    private void report(Client client) {
        if (!client.greeted) {
            return; // a page forgets all shapes when it is greeted
        }
        Sent reported = client.shapes;
        while (reported.answers < answers && client.hasRoom()) {
            List<String> newForms = new ArrayList<>();
            List<int[]> bodies = new ArrayList<>();
            int length = 0;
            while (reported.forms < forms.size() && length < CHARACTERS_PER_MESSAGE) {
                length += forms.get(reported.forms).length();
                newForms.add(forms.get(reported.forms++));
            }
            if (reported.forms == forms.size()) {
                reportBodies(reported, bodies);
            }
            if (!newForms.isEmpty() || !bodies.isEmpty()) {
                client.text("{\"type\":\"shapes\",\"forms\":[" + String.join(",", newForms) + "],\"bodies\":"
                        + GSON.toJson(bodies) + "}");
            }
        }
    }

    private void reportBodies(Sent reported, List<int[]> bodies) {
        if (reported.slot == 0) {
            reported.answersMeanwhile = answers;
        }
        while (reported.slot < form.length && bodies.size() < BODIES_PER_MESSAGE) {
            int slot = reported.slot++;
            if (answered[slot] > reported.answers && known.isKnown(slot)) {
                bodies.add(new int[] {slot, known.generation(slot), form[slot], kinematic[slot] ? 1 : 0});
            }
        }
        if (reported.slot == form.length) {
            reported.slot = 0;
            reported.answers = reported.answersMeanwhile;
        }
    }
}
