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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The shapes of bodies. The world is queried once for each body and after each reshape, a few bodies at a time. Boxes and spheres are sent
 * with each body that has them. Each other form is sent to each page once, and dropped there when no body has it any more.
 *
 * <p>One thread. Nothing is queried unless a page is open.
 */
final class Shapes {

    private static final int BODIES_PER_MESSAGE = 4096;

    private static final int CHARACTERS_PER_MESSAGE = 1 << 18;

    /** The maximum of forms, because a game may make a new mesh for each body. Bodies with further forms are shown as boxes. */
    private static final int MAX_FORMS = 4096;

    /** The number of forms without bodies that are kept: the next body often has the same form, and pages look back. */
    static final int MAX_UNUSED = 64;

    private static final int MAX_CHARACTERS = 64 << 20;

    private static final int NO_ID = -1;

    private static final Box UNKNOWN = new Box(0.5f, 0.5f, 0.5f);

    private static final Gson GSON = new Gson();

    /**
     * The progress of a page: the form and the slot from which on the next message continues, the number of answers that it was sent, and
     * the dropped forms that it still has.
     */
    static final class Sent {
        private int nextForm;
        private int answers;
        private int slot;
        private int answersMeanwhile;
        private final List<Integer> dropped = new ArrayList<>();
    }

    /** A form of the protocol's {@code shapes} message; JSON leaves null fields out. */
    private record Shown(
            int id,
            String form,
            @Nullable Float radius,
            @Nullable Float halfHeight,
            @Nullable Object corners) {}

    /** A form of bodies, in JSON. The form is sent with each body if it has no id, else once. */
    private static final class Kept {
        final BodyShape.Form form;
        final int id;
        final String json;
        int users;

        Kept(BodyShape.Form form, int id, String json) {
            this.form = form;
            this.id = id;
            this.json = json;
        }
    }

    /** A body as of an answer of the world, with the tick of its last reshape. */
    private record Body(int answer, long reshapedTick, boolean kinematic, Kept form) {}

    private final KnownShapes known;
    private final int maxForms;
    private final int maxCharacters;

    // All forms with an id, and those that no body has: at the front the one that lost its last body first.
    private final Map<BodyShape.Form, Kept> byForm = new HashMap<>();
    private final TreeMap<Integer, Kept> byId = new TreeMap<>();
    private final Set<Kept> unused = new LinkedHashSet<>();

    private final List<Integer> dropped = new ArrayList<>();
    private int nextId;
    private int characters;

    private @Nullable Body[] bySlot = {};
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
        for (int slot = 0; slot < bySlot.length; slot++) {
            if (!known.isKnown(slot)) {
                release(slot);
            }
        }
        for (Client client : clients) {
            Sent sent = client.shapes;
            dropped.stream().filter(id -> id < sent.nextForm).forEach(sent.dropped::add);
        }
        dropped.clear();
        clients.forEach(this::report);
    }

    /** Stores the shape of a body, which pages get as part of the answer that this round reports. */
    private void take(BodyShape shape, int slot) {
        if (slot >= bySlot.length) {
            bySlot = Arrays.copyOf(bySlot, Math.max(slot + 1, 2 * bySlot.length));
        }
        Kept form = keep(shape.form());
        form.users++;
        unused.remove(form);
        release(slot);
        bySlot[slot] = new Body(answers + 1, known.reshapedTick(slot), shape.kinematic(), form);
        hasNews = true;
    }

    private void release(int slot) {
        Body gone = bySlot[slot];
        bySlot[slot] = null;
        if (gone != null && --gone.form.users == 0 && gone.form.id != NO_ID) {
            unused.add(gone.form);
            if (unused.size() > MAX_UNUSED) {
                dropOne();
            }
        }
    }

    private void dropOne() {
        Kept first = unused.iterator().next();
        unused.remove(first);
        byForm.remove(first.form);
        byId.remove(first.id);
        characters -= first.json.length();
        dropped.add(first.id);
    }

    /** Returns a form of bodies, the same for equal forms with an id; {@link #UNKNOWN} if a form cannot be shown, or there are too many. */
    private Kept keep(BodyShape.Form form) {
        Kept same = byForm.get(form);
        if (same != null) {
            return same;
        }
        Kept made;
        try {
            made = kept(nextId, form);
        } catch (IllegalArgumentException notFinite) {
            return kept(NO_ID, UNKNOWN);
        }
        if (made.id == NO_ID) {
            return made;
        }
        while (!hasRoom(made) && !unused.isEmpty()) {
            dropOne();
        }
        if (!hasRoom(made)) {
            return kept(NO_ID, UNKNOWN);
        }
        nextId++;
        characters += made.json.length();
        byForm.put(form, made);
        byId.put(made.id, made);
        return made;
    }

    private boolean hasRoom(Kept made) {
        return byId.size() < maxForms && made.json.length() <= maxCharacters - characters;
    }

    private static Kept kept(int id, BodyShape.Form form) {
        if (form instanceof Box box) {
            return new Kept(form, NO_ID, GSON.toJson(new float[] {box.halfX(), box.halfY(), box.halfZ()}));
        } else if (form instanceof Sphere sphere) {
            return new Kept(form, NO_ID, GSON.toJson(new float[] {sphere.radius()}));
        }
        Shown shown = form instanceof Capsule capsule
                ? new Shown(id, "capsule", capsule.radius(), capsule.halfHeight(), null)
                : new Shown(id, "mesh", null, null, ((TriangleMesh) form).corners());
        return new Kept(form, id, GSON.toJson(shown));
    }

    /** Sends a page its missing forms, then the bodies that have them, and the dropped forms, while there is room. */
    private void report(Client client) {
        if (!client.greeted) {
            return; // a page forgets all shapes when it is greeted
        }
        Sent sent = client.shapes;
        while ((sent.answers < answers || !sent.dropped.isEmpty()) && client.hasRoom()) {
            StringJoiner newForms = new StringJoiner(",", "[", "]");
            StringJoiner bodies = new StringJoiner(",", "[", "]");
            Map.Entry<Integer, Kept> next;
            while ((next = byId.ceilingEntry(sent.nextForm)) != null && newForms.length() < CHARACTERS_PER_MESSAGE) {
                newForms.add(next.getValue().json);
                sent.nextForm = next.getKey() + 1;
            }
            if (next == null) {
                sent.nextForm = nextId;
                reportBodies(sent, bodies);
            }
            if (newForms.length() > 2 || bodies.length() > 2 || !sent.dropped.isEmpty()) {
                client.text("{\"type\":\"shapes\",\"forms\":" + newForms + ",\"bodies\":" + bodies + ",\"dropped\":"
                        + GSON.toJson(sent.dropped) + "}");
                sent.dropped.clear();
            }
        }
    }

    private void reportBodies(Sent sent, StringJoiner bodies) {
        if (sent.slot == 0) {
            sent.answersMeanwhile = answers;
        }
        for (int left = BODIES_PER_MESSAGE; sent.slot < bySlot.length && left > 0; sent.slot++) {
            Body body = bySlot[sent.slot];
            if (body != null && body.answer > sent.answers) {
                bodies.add("[" + sent.slot + "," + known.generation(sent.slot) + "," + body.reshapedTick + ","
                        + (body.kinematic ? 1 : 0) + "," + (body.form.id == NO_ID ? body.form.json : body.form.id)
                        + "]");
                left--;
            }
        }
        if (sent.slot == bySlot.length) {
            sent.slot = 0;
            sent.answers = sent.answersMeanwhile;
        }
    }
}
