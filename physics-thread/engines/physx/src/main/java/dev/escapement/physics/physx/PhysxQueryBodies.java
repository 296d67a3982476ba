package dev.escapement.physics.physx;

import dev.escapement.physics.query.QueryBodies;
import dev.escapement.physics.query.QueryEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import physx.common.PxBase;
import physx.common.PxCollection;
import physx.common.PxTransform;
import physx.extensions.PxCollectionExt;
import physx.geometry.PxGeometry;
import physx.physics.PxFilterData;
import physx.physics.PxMaterial;
import physx.physics.PxPhysics;
import physx.physics.PxRigidActor;
import physx.physics.PxRigidStatic;
import physx.physics.PxScene;
import physx.physics.PxShape;
import physx.physics.PxShapeFlagEnum;
import physx.physics.PxShapeFlags;
import physx.support.SupportFunctions;

/**
 * Describes PhysX's bodies to query worlds, by static actors with copies of the shapes that queries hit. PhysX lets other threads use the
 * actors of another scene, and counts references to meshes and materials atomically.
 */
final class PhysxQueryBodies implements QueryBodies<PxRigidActor, PhysxQueryBodies.Description> {

    /** A copy of an actor, in no scene yet. Once it was added, one thread uses it, see {@link PhysxQueries}. */
    static final class Description {

        final PxRigidStatic actor;
        final List<Part> parts;

        /** Whether the actor is in a scene. */
        private boolean isShown;

        /** Whether the query world has forgotten the description, which may be before it removes the copy. */
        private boolean isForgotten;

        Description(PxRigidStatic actor, List<Part> parts) {
            this.actor = actor;
            this.parts = parts;
        }

        void setShown(boolean shown) {
            isShown = shown;
            releaseUnused();
        }

        void forget() {
            isForgotten = true;
            releaseUnused();
        }

        /** Also releases the shapes, which nothing else refers to. */
        private void releaseUnused() {
            if (isForgotten && !isShown) {
                actor.release();
            }
        }
    }

    /** A copied shape. */
    static final class Part {

        final PxRigidStatic actor;
        final PxShape shape;
        final PxGeometry geometry;

        /** The index of the original in its actor, -1 if there is no other. */
        final int index;

        final long groups;

        /** The slot of the copy, and the part's place in the list of {@link PhysxQueries}: set there. */
        int slot;

        int place;

        Part(PxRigidStatic actor, PxShape shape, int index, long groups) {
            this.actor = actor;
            this.shape = shape;
            geometry = shape.getGeometry();
            this.index = index;
            this.groups = groups;
        }
    }

    private final PxScene scene;
    private final PxPhysics physics;

    PhysxQueryBodies(PxScene scene) {
        this.scene = scene;
        physics = scene.getPhysics();
    }

    /** Returns null if no shape of the body has {@code eSCENE_QUERY_SHAPE}. */
    @Override
    public @Nullable Description describe(PxRigidActor body) {
        List<PxShape> shapes = new ArrayList<>();
        List<Integer> indices = new ArrayList<>();
        int count = body.getNbShapes();
        for (int i = 0; i < count; i++) {
            PxShape shape = SupportFunctions.PxActor_getShape(body, i);
            if (shape.getFlags().isSet(PxShapeFlagEnum.eSCENE_QUERY_SHAPE)) {
                shapes.add(shape);
                indices.add(count == 1 ? -1 : i);
            }
        }
        return shapes.isEmpty() ? null : copy(body, shapes, indices);
    }

    private Description copy(PxRigidActor body, List<PxShape> shapes, List<Integer> indices) {
        PxTransform pose = body.getGlobalPose();
        PxRigidStatic actor = physics.createRigidStatic(pose);
        List<Part> parts = new ArrayList<>(shapes.size());
        PxShapeFlags queried = new PxShapeFlags((byte) PxShapeFlagEnum.eSCENE_QUERY_SHAPE.value);
        for (int i = 0; i < shapes.size(); i++) {
            PxShape shape = shapes.get(i);
            PxMaterial material = PxMaterial.wrapPointer(
                    shape.getMaterialFromInternalFaceIndex(0).getAddress());
            PxShape copy = physics.createShape(shape.getGeometry(), material, true, queried);
            copy.setLocalPose(shape.getLocalPose());
            actor.attachShape(copy);
            copy.release(); // the actor keeps the shape
            parts.add(new Part(actor, copy, indices.get(i), groups(shape.getQueryFilterData())));
        }
        queried.destroy();
        return new Description(actor, parts);
    }

    private static long groups(PxFilterData data) {
        long groups = Integer.toUnsignedLong(data.getWord0()) | (long) data.getWord1() << Integer.SIZE;
        return groups == 0 ? -1 : groups;
    }

    /** Does not count the links of articulations, because the binding has no list of them. */
    @Override
    public int describeFixed(Predicate<PxRigidActor> attached, BiConsumer<Object, Description> fixed) {
        int unseen = 0;
        PxCollection members = PxCollectionExt.createCollection(scene);
        for (int i = 0; i < members.getNbObjects(); i++) {
            PxBase member = members.getObject(i);
            String type = member.getConcreteTypeName();
            PxRigidActor body = PxRigidActor.wrapPointer(member.getAddress());
            if (type.equals("PxRigidDynamic")) {
                unseen += attached.test(body) ? 0 : 1;
            } else if (!type.equals("PxRigidStatic")) {
                unseen += type.startsWith("PxArticulation") ? 0 : 1;
            } else if (!attached.test(body)) {
                Description description = describe(body);
                if (description != null) {
                    fixed.accept(body, description);
                }
            }
        }
        members.release();
        return unseen;
    }

    @Override
    public QueryEngine<Description, ?> open() {
        return new PhysxQueries(physics);
    }
}
