// Where an instance is, for every pass that draws the boxes.
layout(location = 0) in vec3 corner;
layout(location = 1) in vec3 cornerNormal;
layout(location = 2) in vec3 position;
layout(location = 3) in vec4 rotation;

uniform mat4 worldToClip;
uniform float boxHalfExtent;
uniform float markerHalfExtent;
uniform int boxCount;

bool isMarker() {
    return gl_InstanceID >= boxCount;
}

vec3 rotated(vec3 v) {
    return v + 2.0 * cross(rotation.xyz, cross(rotation.xyz, v) + rotation.w * v);
}

vec3 worldCorner() {
    return position + rotated(corner * (isMarker() ? markerHalfExtent : boxHalfExtent));
}

